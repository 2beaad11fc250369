// SPDX-License-Identifier: Apache-2.0
// What makes a report handier: everything can be read without it.
(function () {
  "use strict";

  function make(name, classes, text) {
    const node = document.createElement(name);
    if (classes) node.className = classes;
    if (text) node.textContent = text;
    return node;
  }

  function tool(text, action) {
    const button = make("button", "tool", text);
    button.type = "button";
    button.addEventListener("click", function () { action(button); });
    return button;
  }

  // Light and dark.
  function isDark() {
    const chosen = document.documentElement.dataset.theme;
    return chosen ? chosen === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  }
  function themeText() { return isDark() ? "Light colours" : "Dark colours"; }
  document.querySelector("header").append(tool(themeText(), function (button) {
    document.documentElement.dataset.theme = isDark() ? "light" : "dark";
    button.textContent = themeText();
  }));

  // Sorting: unknown values stay at the end, whichever way.
  function keyOf(row, column) {
    const cell = row.cells[column];
    if (cell.dataset.sort !== undefined) return Number(cell.dataset.sort);
    const text = cell.textContent.trim();
    return text === "-" ? null : text;
  }
  function compare(a, b) {
    if (typeof a === "number" && typeof b === "number") return a - b;
    return String(a).localeCompare(String(b), "en", { numeric: true });
  }
  function sort(table, column, header) {
    const descending = header.getAttribute("aria-sort") === "ascending";
    table.querySelectorAll("thead th").forEach(function (other) { other.removeAttribute("aria-sort"); });
    header.setAttribute("aria-sort", descending ? "descending" : "ascending");
    const body = table.tBodies[0];
    Array.from(body.rows).map(function (row) { return { row: row, key: keyOf(row, column) }; })
      .sort(function (a, b) {
        if (a.key === null || b.key === null) return (a.key === null) - (b.key === null);
        return descending ? compare(b.key, a.key) : compare(a.key, b.key);
      })
      .forEach(function (entry) { body.append(entry.row); });
  }
  document.querySelectorAll("table.sortable").forEach(function (table) {
    Array.from(table.tHead.rows[0].cells).forEach(function (header, column) {
      const button = make("button", "", header.textContent);
      button.type = "button";
      button.addEventListener("click", function () { sort(table, column, header); });
      header.replaceChildren(button);
    });
  });

  // Filter of the trials: every word has to be in the row.
  function addFilter(table) {
    const rows = Array.from(table.tBodies[0].rows);
    const label = make("label", "filter");
    const input = make("input");
    const count = make("span", "note", rows.length + " trials");
    input.type = "search";
    input.placeholder = "words that a row must have";
    count.setAttribute("aria-live", "polite");
    label.append(make("span", "", "Show only"), input, count);
    input.addEventListener("input", function () {
      const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
      let shown = 0;
      rows.forEach(function (row) {
        const text = row.textContent.toLowerCase();
        row.hidden = !words.every(function (word) { return text.includes(word); });
        shown += row.hidden ? 0 : 1;
      });
      count.textContent = shown + " of " + rows.length + " trials";
    });
    table.closest(".scroll").before(label);
  }
  if (document.querySelector("main").dataset.many === "yes")
    document.querySelectorAll("table.sortable").forEach(addFilter);

  // Details of a mark, for pointer and keyboard alike; the mark and the row of a trial show each other.
  const tooltip = make("div", "tooltip");
  tooltip.hidden = true;
  document.body.append(tooltip);
  let shown = null;
  function place(mark) {
    const box = mark.getBoundingClientRect();
    const own = tooltip.getBoundingClientRect();
    const left = Math.max(8, Math.min(box.left + box.width / 2 - own.width / 2, innerWidth - own.width - 8));
    const above = box.top - own.height - 8;
    tooltip.style.left = left + "px";
    tooltip.style.top = (above > 8 ? above : box.bottom + 8) + "px";
  }
  function link(id, on) {
    if (!id) return;
    document.querySelectorAll("[data-trial]").forEach(function (node) {
      if (node.dataset.trial === id) node.classList.toggle("linked", on);
    });
  }
  document.querySelectorAll(".headroom-figure [tabindex]").forEach(function (mark) {
    const title = mark.querySelector("title");
    if (!title) return;
    const text = title.textContent;
    mark.setAttribute("aria-label", text);
    title.remove(); // or the browser shows it once more
    function show() {
      tooltip.textContent = text;
      tooltip.hidden = false;
      shown = mark;
      place(mark);
      link(mark.dataset.trial, true);
    }
    function hide() {
      tooltip.hidden = true;
      link(mark.dataset.trial, false);
    }
    mark.addEventListener("pointerenter", show);
    mark.addEventListener("focus", show);
    mark.addEventListener("pointerleave", hide);
    mark.addEventListener("blur", hide);
  });
  document.querySelectorAll("tr[data-trial]").forEach(function (row) {
    row.addEventListener("pointerenter", function () { link(row.dataset.trial, true); });
    row.addEventListener("pointerleave", function () { link(row.dataset.trial, false); });
  });
  addEventListener("keydown", function (event) { if (event.key === "Escape") tooltip.hidden = true; });
  addEventListener("scroll", function () { if (!tooltip.hidden) place(shown); }, { passive: true });

  // A pointer on a row of a tree tells its bytes exactly.
  document.querySelectorAll(".tree [data-bytes]").forEach(function (item) {
    const bytes = item.querySelector(".bytes");
    bytes.title = Number(item.dataset.bytes).toLocaleString("en") + " bytes";
  });

  // Copying.
  function select(node) {
    const range = document.createRange();
    range.selectNodeContents(node);
    getSelection().removeAllRanges();
    getSelection().addRange(range);
  }
  document.querySelectorAll(".copyable").forEach(function (block) {
    const code = block.querySelector("code");
    block.append(tool("Copy " + block.dataset.name, function (button) {
      const done = function () { button.textContent = "Copied"; };
      const chosen = function () { select(code); button.textContent = "Press Ctrl+C"; };
      if (navigator.clipboard) navigator.clipboard.writeText(code.textContent).then(done, chosen);
      else chosen();
    }));
  });

  // On paper everything is open, but for the tables of figures: the style sheet leaves those out.
  let opened = [];
  addEventListener("beforeprint", function () {
    opened = Array.from(document.querySelectorAll("details:not([open])"));
    opened.forEach(function (node) { node.open = true; });
  });
  addEventListener("afterprint", function () { opened.forEach(function (node) { node.open = false; }); });
})();
