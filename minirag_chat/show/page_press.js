// Presses of the page's buttons go to the server as a word and a value.
element.addEventListener("click", (event) => {
  const button = event.target.closest("[data-do], [data-ask]");
  if (!button || !element.contains(button) || button.disabled) { return; }
  if (event.detail > 1) { return; } // of a double click, which may fall on what was drawn in its place meanwhile
  const { value = "", on } = button.dataset;
  if (button.dataset.ask) { trigger("submit", { do: button.dataset.ask, value }); }
  else { trigger("click", { do: button.dataset.do, value: on ? `${value}:${on}` : value }); }
});

// A day is sent once no more of it is typed. The attribute is what Gradio compares with the server's reply: a
// reply that repeats it leaves what was typed since.
const typed = new WeakMap();
function send(field) {
  window.clearTimeout(typed.get(field));
  typed.delete(field);
  if (field.type === "date") { field.setAttribute("value", field.value); }
  trigger("click", { do: field.dataset.change, value: field.value });
}
element.addEventListener("change", (event) => {
  const field = event.target.closest("[data-change]");
  if (!field) { return; }
  if (field.type !== "date") { send(field); return; }
  window.clearTimeout(typed.get(field));
  const half = field.value && field.value < "1000"; // the first digits of a year
  typed.set(field, window.setTimeout(() => { if (!half) { send(field); } }, 700));
});
element.addEventListener("focusout", (event) => { if (typed.has(event.target)) { send(event.target); } });

// Gradio closes what is unfolded when it draws the element anew.
const unfolded = new WeakSet();
element.addEventListener("click", (event) => {
  const head = event.target.closest("summary");
  const part = head && head.parentElement;
  if (!part || part.matches(".mc-menu")) { return; }
  if (part.open) { unfolded.delete(part); } else { unfolded.add(part); }
});
new MutationObserver((found) => {
  for (const { target } of found) { if (unfolded.has(target) && !target.open) { target.open = true; } }
}).observe(element, { subtree: true, attributes: true, attributeFilter: ["open"] });
