"""What the page does where scripts run: tables sort by a click on a head, and a link opens what it leads into."""

SCRIPT = """
(() => {
  const reveal = () => {
    let at = document.getElementById(location.hash.slice(1));
    if (!at) return;
    for (let each = at.closest("details"); each; each = each.parentElement.closest("details")) each.open = true;
    at.scrollIntoView();
  };
  addEventListener("hashchange", reveal);
  reveal();
  document.addEventListener("click", (event) => {
    const link = event.target.closest("a");
    if (link && link.getAttribute("href") === location.hash) reveal();
  });
  const key = (row, column) => {
    const text = row.cells[column].textContent.trim();
    const number = parseFloat(text.replaceAll(",", ""));
    return { text, number };
  };
  const sort = (table, column, down) => {
    const rows = Array.from(table.tBodies).flatMap((body) => Array.from(body.rows));
    const keyed = rows.map((row) => ({ row, ...key(row, column) }));
    const numbers = table.tHead.rows[0].cells[column].classList.contains("n");
    keyed.sort((a, b) => {
      if (!numbers) return (down ? -1 : 1) * a.text.localeCompare(b.text);
      if (isNaN(a.number) || isNaN(b.number)) return isNaN(a.number) - isNaN(b.number);
      return (down ? -1 : 1) * (a.number - b.number);
    });
    table.tBodies[0].append(...keyed.map((each) => each.row));
    for (const head of table.tHead.rows[0].cells) head.removeAttribute("aria-sort");
    table.tHead.rows[0].cells[column].setAttribute("aria-sort", down ? "descending" : "ascending");
  };
  for (const table of document.querySelectorAll("table.sorts")) {
    Array.from(table.tHead.rows[0].cells).forEach((head, column) => {
      const button = document.createElement("button");
      button.type = "button";
      button.append(...head.childNodes);
      button.addEventListener("click", () => {
        const first = head.classList.contains("n") ? "descending" : "ascending";
        const now = head.getAttribute("aria-sort");
        sort(table, column, now ? now === "ascending" : first === "descending");
      });
      head.append(button);
    });
  }
})();
"""
