// Presses of the page's buttons go to the server as a word and a value.
element.addEventListener("click", (event) => {
  const button = event.target.closest("[data-do], [data-ask]");
  if (!button || !element.contains(button) || button.disabled) { return; }
  const value = button.dataset.value || "";
  if (button.dataset.ask) { trigger("submit", { do: button.dataset.ask, value }); }
  else { trigger("click", { do: button.dataset.do, value }); }
});
element.addEventListener("change", (event) => {
  const field = event.target.closest("[data-change]");
  if (field) { trigger("click", { do: field.dataset.change, value: field.value }); }
});
