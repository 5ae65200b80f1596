() => {
  // A key of this tab, kept by the browser until the tab is closed: a reload continues with what it had.
  // While the page is open it is not in the storage, which a duplicate of the tab would copy.
  const NAME = "minirag-chat-tab";
  let key = "";
  try {
    key = sessionStorage.getItem(NAME) || "";
    sessionStorage.removeItem(NAME);
    key = key || [...crypto.getRandomValues(new Uint8Array(16))].map((n) => n.toString(16).padStart(2, "0")).join("");
    window.addEventListener("pagehide", () => sessionStorage.setItem(NAME, key));
  } catch { key = ""; } // storage is blocked: a reload then continues the latest conversation
  return [key];
}
