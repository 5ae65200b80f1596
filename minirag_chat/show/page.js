() => {
  // What needs no server: drawers, theme, keys, copying, files, and doing what the server tells.
  const MARK = "\u2063"; // before an edited question: it replaces the last one
  const body = document.body;
  const find = (selector) => document.querySelector(selector);
  const field = () => find("#question textarea");
  let editing = false;
  let draft = ""; // what was in the box before an edit
  let sent = ""; // the question that was typed last, put back if it is refused

  const THEME = "minirag-chat-theme";
  try {
    const keptTheme = localStorage.getItem(THEME);
    if (keptTheme) { body.classList.toggle("dark", keptTheme === "dark"); }
  } catch { /* storage is blocked: the browser's own theme stays */ }

  let hiding = 0;
  function hide(note) { return window.setTimeout(() => note.remove(), 6000); }

  function say(text) { // what is said again stays, and is not read out again
    const old = find(".mc-say");
    if (old && old.textContent === text) { window.clearTimeout(hiding); hiding = hide(old); return; }
    if (old) { old.remove(); }
    const note = document.createElement("div");
    note.className = "mc-say";
    note.setAttribute("role", "alert");
    note.textContent = text;
    find("#asking").append(note);
    hiding = hide(note);
  }

  function fill(text) {
    const box = field();
    if (!box) { return; }
    const set = Object.getOwnPropertyDescriptor(HTMLTextAreaElement.prototype, "value").set;
    set.call(box, text);
    box.dispatchEvent(new Event("input", { bubbles: true }));
  }

  function setEditing(on) { // and a line above the box says so
    editing = on;
    let line = find(".mc-editing");
    if (on && !line) {
      line = document.createElement("p");
      line.className = "mc-editing mc-quiet";
      line.setAttribute("role", "status");
      line.textContent = "Editing your last question: Enter asks it in its place, Esc leaves it as it was.";
      find("#asking").prepend(line);
    } else if (!on && line) {
      line.remove();
    }
  }

  function focus() { undrawn(); const box = field(); if (box) { box.focus(); } }

  function writing() { // the reply to a press does not take the keyboard from what is written meanwhile
    const at = document.activeElement;
    return Boolean(at && at.matches("textarea, select, input:not([type=checkbox], [type=radio])"));
  }

  function undrawn() { body.classList.remove("mc-left", "mc-right"); }

  function covered() { // by the settings, or by a side that is a drawer at this width
    const has = (name) => body.classList.contains(name);
    return has("mc-settings") || (window.innerWidth <= 1120 && has("mc-left")) || (window.innerWidth <= 780 && has("mc-right"));
  }

  function uncover() { body.classList.remove("mc-left", "mc-right", "mc-settings"); }

  // The browser's Back closes what lies over the page: opening it adds an entry to the history, which Back passes
  // over if it was closed in another way.
  const opened = (state) => Boolean(state && state.covered);
  let added = opened(history.state); // after a reload
  new MutationObserver(() => {
    if (covered() && !added) { history.pushState({ covered: true }, ""); added = true; }
  }).observe(body, { attributes: true, attributeFilter: ["class"] });
  window.addEventListener("popstate", (event) => {
    const before = added;
    added = opened(event.state);
    if (added || !before) { return; }
    if (covered()) { uncover(); } else { history.back(); }
  });

  function focusOn(selector) { // also if it is drawn again meanwhile, or in a drawer, which then opens
    let tries = 30;
    let drawn = false;
    let done = false;
    const look = () => {
      const found = writing() ? null : find(selector); // perhaps in a field that is about to go
      if (found && !drawn) {
        undrawn();
        if (found.closest("#left")) { body.classList.add("mc-left"); }
        drawn = true;
      }
      if (found && (!done || document.activeElement === body)) {
        found.focus();
        done = document.activeElement === found;
      }
      if (tries--) { window.setTimeout(look, 50); }
    };
    window.setTimeout(look, 80);
  }

  function tab(name) {
    const found = [...document.querySelectorAll('#evidence [role="tab"]')].find(
      (button) => button.textContent.trim() === name);
    if (found) { found.click(); }
    if (window.innerWidth <= 780) { body.classList.add("mc-right"); body.classList.remove("mc-left"); }
  }

  function reach(selector, then) { // what the server sent is drawn a moment later
    let tries = 20;
    const look = () => {
      const found = find(selector);
      if (found) { then(found); } else if (tries--) { window.setTimeout(look, 50); }
    };
    window.setTimeout(look, 80);
  }

  function light(selector) {
    reach(selector, (found) => {
      found.classList.add("mc-lit");
      found.scrollIntoView({ block: "center" });
      if (!writing()) { found.focus({ preventScroll: true }); }
      window.setTimeout(() => found.classList.remove("mc-lit"), 2500);
    });
  }

  function stay(place) { // with the exchange that was the first one, once earlier ones are drawn above it
    let tries = 40;
    const look = () => {
      const first = find("#log .mc-exchange");
      const found = find(`#log [data-place="${place}"]`);
      if (found && Number(first.dataset.place) < place) { found.scrollIntoView(); }
      else if (tries--) { window.setTimeout(look, 50); }
    };
    look();
  }

  function save(name, blob) {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(blob);
    link.download = name;
    link.click();
    window.setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  }

  function press(word, value) { // as if a button of the page had been pressed
    const place = find("#log .mc-log"); // tabs that were never open are not in the document
    if (!place) { return; }
    const button = document.createElement("button");
    button.dataset.do = word;
    button.dataset.value = value;
    button.hidden = true;
    place.append(button);
    button.click();
    button.remove();
  }

  function bottom() { const log = find("#log"); if (log) { log.scrollTop = log.scrollHeight; } }

  window.miniragChat = (command) => {
    if (command.do === "say") { say(command.text); }
    if (command.do === "sent") { sent = field().value; fill(""); }
    if ((command.do === "unsent" || command.unsent) && !field().value) { fill(sent); }
    if (command.do === "source") { light(`.mc-source[data-message-id="${Number(command.id)}"]`); }
    if (command.do === "said") { light(`[data-said="${Number(command.id)}"]`); }
    if (command.do === "earlier") { stay(Number(command.id)); }
    if (command.do === "file") { save(command.name, new Blob([command.text], { type: "text/plain;charset=utf-8" })); }
    if (command.do === "picture") { tab("Why"); picture(command.name); }
    if (command.do === "focus" && !writing()) { focus(); } // what was typed while the server was busy stays
    if (command.do === "focus on") { focusOn(`[data-do="${command.name}"]`); }
  };

  function picture(name) {
    const frame = find("#why iframe");
    if (!frame) { say("There is no graph to save yet."); return; }
    const heard = (event) => {
      const data = event.data;
      if (event.source !== frame.contentWindow || !data || data.type !== "minirag-picture") { return; }
      window.removeEventListener("message", heard);
      window.clearInterval(asking);
      if (typeof data.url !== "string" || !data.url.startsWith("data:image/png;base64,")) { return; }
      const bytes = Uint8Array.from(atob(data.url.slice(22)), (c) => c.charCodeAt(0));
      save(name, new Blob([bytes], { type: "image/png" }));
    };
    window.addEventListener("message", heard);
    let tries = 40; // the graph may still be loading
    const asking = window.setInterval(() => {
      if (tries-- && frame.isConnected) { frame.contentWindow.postMessage({ type: "minirag-picture" }, "*"); }
      else { window.clearInterval(asking); }
    }, 300);
  }

  // A message picked in the path graph opens in its conversation. Only our own frame is heard.
  window.addEventListener("message", (event) => {
    const frame = find("#why iframe");
    const data = event.data;
    if (!frame || event.source !== frame.contentWindow || !data) { return; }
    if (data.type === "minirag-open-message" && Number.isInteger(data.id)) { press("open", `${data.id}:5`); }
  });

  const CLIENT = {
    theme() {
      const dark = body.classList.toggle("dark");
      try { localStorage.setItem(THEME, dark ? "dark" : "light"); } catch { /* blocked: until the next reload */ }
    },
    left() { body.classList.remove("mc-right", "mc-settings"); body.classList.toggle("mc-left"); },
    right() { body.classList.remove("mc-left", "mc-settings"); body.classList.toggle("mc-right"); },
    settings() { body.classList.toggle("mc-settings"); },
    edit(button) {
      if (!editing) { draft = field().value; }
      fill(button.dataset.value);
      setEditing(true);
      focus();
    },
    copy(button) {
      const text = button.closest(".mc-answer").querySelector(".mc-text, .mc-flag").innerText;
      const refused = () => say("The browser does not allow copying here.");
      if (!navigator.clipboard) { refused(); return; } // plain http from another machine
      navigator.clipboard.writeText(text).then(() => say("Copied."), refused);
    },
  };
  document.addEventListener("click", (event) => {
    const button = event.target.closest("[data-client]");
    if (button && CLIENT[button.dataset.client]) {
      if (event.detail < 2) { CLIENT[button.dataset.client](button); } // a double click is one press
      return;
    }
    document.querySelectorAll(".mc-menu[open]").forEach((menu) => {
      if (!menu.contains(event.target) || event.target.closest("[data-do]")) { menu.open = false; }
    });
    if (!event.target.closest("#left, #settings, .mc-head")) { body.classList.remove("mc-left", "mc-settings"); }
    if (event.target.closest("[data-ask]")) { window.setTimeout(bottom, 150); }
  });

  // Esc and Enter belong to an input method while it composes (Chinese, Japanese, Korean).
  const composes = (event) => event.isComposing || event.keyCode === 229;
  document.addEventListener("keydown", (event) => {
    if (composes(event)) { return; }
    const box = field();
    if (event.key === "Escape") {
      const menus = document.querySelectorAll(".mc-menu[open]");
      if (covered() || menus.length) { // what lies over the page closes first
        uncover();
        menus.forEach((menu) => { menu.open = false; });
        event.preventDefault();
        return;
      }
      const stop = find("#stop");
      if (stop && stop.offsetParent) { stop.click(); event.preventDefault(); return; }
      if (editing) { setEditing(false); fill(draft); return; }
      // The box of a person, or "Which of these is you?", asked again.
      const leave = find('#chips [data-do="closeperson"]') || find('#chips [data-do="keepme"]');
      if (leave) { leave.click(); event.preventDefault(); }
    }
    if (event.key === "ArrowUp" && event.target === box && !box.value) {
      const edits = document.querySelectorAll('#log [data-client="edit"]');
      if (edits.length) { edits[edits.length - 1].click(); event.preventDefault(); }
    }
  }, true);
  // What a press shows is in a tab, which opens at once: whoever chose another one meanwhile stays there.
  const SHOWN_IN = { cite: "Sources", open: "Sources", back: "Sources", pick: "Why" };
  document.addEventListener("click", (event) => {
    const button = event.target.closest("[data-do]");
    if (button && SHOWN_IN[button.dataset.do]) { tab(SHOWN_IN[button.dataset.do]); }
  }, true);
  // A new conversation begins with an empty box, at once: the server may take a while. An edit ends with the
  // conversation, or once another question follows: what is typed then is a new question.
  document.addEventListener("click", (event) => {
    const button = event.target.closest('[data-do="new"], [data-do="resume"], [data-do="corpus"], [data-ask]');
    if (button && (editing || button.dataset.do === "new")) { setEditing(false); fill(""); }
  }, true);
  // An edited question carries the mark, put in just before Gradio reads the box.
  function markEdited() {
    const box = field();
    if (editing && box && box.value.trim()) { setEditing(false); fill(MARK + box.value); }
  }
  document.addEventListener("keydown", (event) => {
    if (composes(event)) { return; }
    const typed = event.key === "Enter" && !event.shiftKey && event.target === field();
    const sent = (event.key === "Enter" || event.key === " ") && event.target.closest("#send");
    if (typed || sent) { markEdited(); window.setTimeout(bottom, 150); }
  }, true);
  document.addEventListener("pointerdown", (event) => {
    if (event.target.closest("#send")) { markEdited(); window.setTimeout(bottom, 250); }
  }, true);

  // Follow the answer while it grows, unless the reader has scrolled up.
  const log = find("#log");
  if (log) {
    let follow = true;
    log.addEventListener("scroll", () => { follow = log.scrollTop + log.clientHeight > log.scrollHeight - 90; });
    // The log is drawn again with each piece: a screen reader hears the answer once, when it is finished.
    const announcer = document.createElement("div");
    announcer.id = "told";
    announcer.setAttribute("role", "status");
    body.append(announcer);
    let busy = false;
    const tell = () => {
      const before = busy;
      busy = log.querySelector("[aria-busy=true]") !== null;
      const last = [...log.querySelectorAll(".mc-answer")].at(-1);
      const parts = busy || !last ? [] : [...last.querySelectorAll(":scope > p, :scope > .mc-text")];
      const said = parts.map((part) => part.innerText).join(" ");
      if (busy !== before) {
        announcer.textContent = said;
      } else if (announcer.textContent !== said) { // what is deleted from the log is deleted here
        announcer.textContent = "";
      }
    };
    // What does not fit is shown from its question on, once it is finished.
    const show = () => {
      const before = busy;
      tell();
      const last = [...log.querySelectorAll(".mc-exchange")].at(-1);
      if (follow && before && !busy && last && last.offsetHeight > log.clientHeight) { last.scrollIntoView(); }
      else if (follow) { bottom(); }
    };
    new MutationObserver(show).observe(log, { childList: true, subtree: true, characterData: true, attributes: true, attributeFilter: ["aria-busy"] });
    log.setAttribute("role", "log");
    log.setAttribute("aria-live", "off");
    log.setAttribute("aria-label", "Conversation");
    log.setAttribute("tabindex", "0");
  }
}
