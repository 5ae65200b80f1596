() => {
  // A message picked in the path graph is shown among the sources. Only our own frame is heard.
  window.addEventListener("message", (event) => {
    const frame = document.querySelector("#why iframe");
    const data = event.data;
    if (!frame || event.source !== frame.contentWindow) { return; }
    if (!data || data.type !== "minirag-open-message" || !Number.isInteger(data.id)) { return; }
    const card = document.querySelector(`.mc-source[data-message-id="${data.id}"]`);
    const tab = [...document.querySelectorAll('#evidence [role="tab"]')].find(
      (button) => button.textContent.trim() === "Sources");
    if (!card || !tab) { return; }
    tab.click();
    window.setTimeout(() => {
      card.classList.add("mc-lit");
      card.focus({ preventScroll: true });
      card.scrollIntoView({ block: "center" });
      window.setTimeout(() => card.classList.remove("mc-lit"), 2500);
    }, 80);
  });
}
