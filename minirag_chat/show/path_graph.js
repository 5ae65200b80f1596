/* What pyvis leaves open: fit the columns to the window, follow light and dark, show sentences as
   text, and tell the page around it which message was picked. Uses pyvis's nodes, edges, network. */
(function () {
  "use strict";
  var theme = JSON.parse(document.getElementById("theme").textContent);
  var box = document.getElementById("mynetwork");
  var picked = document.getElementById("picked");
  var darkness = window.matchMedia("(prefers-color-scheme: dark)");
  var framed = window.parent !== window;
  document.body.classList.add(framed ? "framed" : "alone");

  function element(tag, text) {
    var made = document.createElement(tag);
    made.textContent = text;
    return made;
  }

  function mode() {
    return darkness.matches ? "dark" : "light";
  }

  function paint() {
    var looks = theme.looks[mode()], lines = theme.lines[mode()];
    nodes.update(nodes.map(function (node) {
      var look = looks[node.kind];
      return {
        id: node.id,
        color: { background: look.background, border: look.border,
          highlight: { background: look.background, border: lines.strong },
          hover: { background: look.background, border: lines.strong } },
        font: { color: look.font, strokeColor: node.inside ? look.background : lines.paper }
      };
    }));
    edges.update(edges.map(function (edge) {
      return { id: edge.id,
        color: { color: edge.cited ? lines.cited : lines.soft, hover: lines.strong, highlight: lines.strong },
        font: { color: lines.text, background: lines.paper, strokeWidth: 0 } };
    }));
  }

  // Wide windows read from left to right; narrow ones from top to bottom, a few marks a line.
  function places(width) {
    var columns = [];
    nodes.forEach(function (node) { (columns[node.layer] = columns[node.layer] || []).push(node); });
    columns = columns.filter(Boolean);
    columns.forEach(function (column) { column.sort(function (a, b) { return a.y0 - b.y0; }); });
    var step = columns.length > 1 ? (width - 150) / (columns.length - 1) : 0;
    if (step >= 140 || columns.length === 1) {
      step = Math.min(300, step);
      return nodes.map(function (node) { return { id: node.id, x: node.layer * step, y: node.y0 }; });
    }
    var most = Math.max(2, Math.floor(width / 112)), found = [], y = 0;
    columns.forEach(function (column) {
      for (var first = 0; first < column.length; first += most) {
        var line = column.slice(first, first + most);
        line.forEach(function (node, place) {
          found.push({ id: node.id, x: (place - (line.length - 1) / 2) * Math.min(180, width / line.length), y: y });
        });
        y += 92;
      }
    });
    edges.update(edges.map(function (edge) {
      return { id: edge.id, smooth: { enabled: true, type: "cubicBezier", forceDirection: "vertical", roundness: 0.4 } };
    }));
    return found;
  }

  function arrange() {
    var width = box.clientWidth, height = box.clientHeight;
    if (width < 40 || height < 40) { return; } // in a hidden tab
    nodes.update(places(width));
    network.setSize("100%", "100%"); // a canvas made while hidden has no size of its own yet
    network.once("afterDrawing", function () { // only then are the boxes where the nodes are
      network.fit({ animation: false, maxZoomLevel: 1.1 });
      network.moveTo({ scale: network.getScale() * 0.94, offset: { x: 0, y: -14 } }); // room for the tools
      document.documentElement.dataset.drawn = "yes";
    });
    network.redraw();
  }

  function open(id) {
    if (framed && Number.isInteger(id)) {
      window.parent.postMessage({ type: "minirag-open-message", id: id }, "*");
    }
  }

  function show(node) {
    picked.replaceChildren(element("b", node.name), " (" + node.word + ") ", node.detail || "");
  }

  nodes.update(nodes.map(function (node) {
    var tip = document.createElement("div");
    tip.append(element("b", node.name), element("span", node.detail || node.word));
    return { id: node.id, title: tip };
  }));
  edges.forEach(function (edge) {
    if (edge.words) { edges.update({ id: edge.id, title: element("span", edge.words) }); }
  });

  network.on("click", function (event) {
    if (!event.nodes.length) { return; }
    var node = nodes.get(event.nodes[0]);
    show(node);
    open(node.message);
  });
  document.getElementById("words").addEventListener("click", function (event) {
    var button = event.target.closest("[data-message-id]");
    if (button) { open(Number(button.dataset.messageId)); }
  });

  function zoom(factor) {
    network.moveTo({ scale: Math.min(4, Math.max(0.2, network.getScale() * factor)), animation: { duration: 150 } });
  }
  document.getElementById("zoom-in").addEventListener("click", function () { zoom(1.25); });
  document.getElementById("zoom-out").addEventListener("click", function () { zoom(0.8); });
  document.getElementById("zoom-fit").addEventListener("click", arrange);

  // One stop of the Tab key for the tools, with arrow keys between them, and none for the picture.
  var tools = Array.from(document.querySelectorAll(".tools button"));
  box.querySelector(".vis-network").tabIndex = -1;
  document.querySelector(".tools").addEventListener("keydown", function (event) {
    var step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    var place = tools.indexOf(document.activeElement);
    if (!step || place < 0) { return; }
    var next = tools[(place + step + tools.length) % tools.length];
    tools.forEach(function (tool) { tool.tabIndex = tool === next ? 0 : -1; });
    next.focus();
    event.preventDefault();
  });

  // The page around asks for a picture: it may save files, this frame may not.
  window.addEventListener("message", function (event) {
    if (!framed || event.source !== window.parent || !event.data || event.data.type !== "minirag-picture") { return; }
    if (!document.documentElement.dataset.drawn) { return; }
    var drawn = box.querySelector("canvas"), sheet = document.createElement("canvas");
    sheet.width = drawn.width;
    sheet.height = drawn.height;
    var pen = sheet.getContext("2d");
    pen.fillStyle = theme.lines[mode()].paper;
    pen.fillRect(0, 0, sheet.width, sheet.height);
    pen.drawImage(drawn, 0, 0);
    window.parent.postMessage({ type: "minirag-picture", url: sheet.toDataURL("image/png") }, "*");
  });

  darkness.addEventListener("change", paint);
  paint();
  new ResizeObserver(arrange).observe(box);
})();
