// What the server tells the browser to do, one JSON document at a time.
watch("value", () => {
  if (props.value && window.miniragChat) { window.miniragChat(JSON.parse(props.value)); }
});
