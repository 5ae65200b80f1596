() => {
  // A key of this tab, kept by the browser until the tab is closed: a reload continues with what it had.
  const NAME = "minirag-chat-tab";
  let key = sessionStorage.getItem(NAME);
  if (!key) {
    key = [...crypto.getRandomValues(new Uint8Array(16))].map((n) => n.toString(16).padStart(2, "0")).join("");
    sessionStorage.setItem(NAME, key);
  }
  return [key];
}
