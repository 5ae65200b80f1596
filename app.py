"""Start the chat page, as `minirag-chat page` does, by the environment alone. Also a Space's entry."""

from minirag_chat.show.page_start import start

if __name__ == "__main__":
    start()
