// A trace drawn into an element: a tree with a time line, and beside it what the chosen span says in full.
// Returns a function that chooses the span of a key.
// Whatever a trace quotes enters as text, never as markup. `detailOf(span)` may return a promise.

const make = (name, properties = {}, ...children) => {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(properties)) {
    if (value === null || value === undefined) continue;
    if (key === "class" || key.includes("-") || key === "role" || key === "for") element.setAttribute(key, value);
    else element[key] = value;
  }
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
};

const seconds = (value) => (value < 1 ? `${Math.round(value * 1000)} ms` : `${value.toFixed(2)} s`);
const counted = (number, word) => `${number.toLocaleString("en")} ${word}${number === 1 ? "" : "s"}`;
const written = (value) => (typeof value === "string" ? value : JSON.stringify(value, null, 2));

const flat = (spans, depth = 0, above = null) =>
  spans.flatMap((span) => {
    const row = { span, depth, above, open: depth < 1 };
    return [row, ...flat(span.children, depth + 1, row)];
  });

const told = (totals) =>
  [
    counted(totals.spans, "step"),
    seconds(totals.seconds),
    totals.calls && `${counted(totals.calls, "model call")}, ${totals.prompt_tokens} + ${totals.completion_tokens} tokens`,
    totals.errors && counted(totals.errors, "error"),
    totals.retries && `${counted(totals.retries, "try").replace("trys", "tries")} after the first`,
  ]
    .filter(Boolean)
    .join(" · ");

const section = (title, text, open = true) =>
  make("details", { open }, make("summary", {}, title), make("pre", { dir: "auto", tabIndex: 0 }, text));

const documentPart = (found) => {
  const facts = ["rank", "score"].filter((name) => found[name] !== undefined).map((name) => `${name} ${found[name]}`);
  const head = [found.title, found.id, ...facts].filter(Boolean).join(" · ");
  return make("li", {}, make("div", { dir: "auto" }, head), found.content ? make("pre", { dir: "auto" }, found.content) : null);
};

const detailParts = (detail) => {
  const parts = [];
  if (detail.error) parts.push(section("Error", `${detail.error.type}: ${detail.error.message}`));
  if (detail.retries.length) parts.push(section("Tried again", detail.retries.join("\n")));
  for (const message of detail.prompt ?? []) parts.push(section(`Prompt: ${message.role}`, written(message.content)));
  if (detail.reply) parts.push(section("Reply", written(detail.reply.text)));
  if (detail.documents?.length) {
    const list = make("ol", {}, ...detail.documents.map(documentPart));
    parts.push(make("details", { open: true }, make("summary", {}, counted(detail.documents.length, "document")), list));
  }
  const rest = !detail.prompt && !detail.documents?.length;
  if (detail.input !== null) parts.push(section("Input", written(detail.input), rest));
  if (detail.output !== null) parts.push(section("Output", written(detail.output), rest));
  return parts;
};

const bar = (span, tree) => {
  const whole = Math.max(tree.end - tree.start, 1e-9);
  const inner = make("span", { class: span.error ? "bar failed" : "bar" });
  inner.style.left = `${(100 * (span.start - tree.start)) / whole}%`;
  inner.style.width = `${Math.max((100 * span.seconds) / whole, 0.3)}%`;
  return make("span", { class: "line", "aria-hidden": "true" }, inner);
};

const words = (span) => {
  const said = span.error ? `✗ ${span.error.type}: ${span.error.message}` : `→ ${span.glance}`;
  const tokens = span.tokens ? `${span.tokens.prompt ?? 0}+${span.tokens.completion ?? 0} tokens` : "";
  const again = span.retries.length ? `tried ${span.retries.length + 1} times` : "";
  const lost = span.lost ? "the span around it never ended" : "";
  const facts = [span.kind, tokens, again, lost, seconds(span.seconds)].filter(Boolean).join(" · ");
  return [
    make("b", {}, span.name),
    make("span", { dir: "auto" }, ` ${span.given} `),
    make("span", { class: span.error ? "failed" : "", dir: "auto" }, said),
    make("small", {}, ` ${facts}`),
  ];
};

export const drawTrace = (place, tree, detailOf) => {
  const rows = flat(tree.spans);
  const list = make("div", { class: "rows", role: "tree", "aria-label": "Steps" });
  const panel = make("section", { class: "panel", "aria-label": "Span", "aria-live": "polite" }, "Choose a step.");
  const find = make("input", { type: "search", placeholder: "name or words", "aria-label": "Filter by name or words" });
  const kinds = [...new Set(rows.map((row) => row.span.kind))].sort();
  const kind = make("select", { "aria-label": "Filter by kind" }, make("option", { value: "" }, "every kind"));
  kind.append(...kinds.map((name) => make("option", { value: name }, name)));
  const failed = make("input", { type: "checkbox" });
  let chosen = null;

  const choose = async (row) => {
    chosen = row;
    for (const other of rows) other.item.setAttribute("aria-selected", other === row ? "true" : "false");
    for (const other of rows) other.item.tabIndex = other === row ? 0 : -1;
    const detail = await detailOf(row.span.span);
    if (chosen !== row) return;
    const head = make("h2", { dir: "auto" }, `${row.span.name} `, make("small", {}, `${row.span.kind} ${row.span.span}`));
    panel.replaceChildren(head, ...detailParts(detail));
  };

  const fits = ({ span }) => {
    const text = `${span.name} ${span.given} ${span.glance} ${span.error ? span.error.message : ""}`.toLowerCase();
    return text.includes(find.value.trim().toLowerCase()) && (!kind.value || span.kind === kind.value) && (!failed.checked || span.error);
  };

  const show = () => {
    const filtering = find.value.trim() || kind.value || failed.checked;
    const kept = new Set();
    if (filtering) for (const row of rows.filter(fits)) for (let each = row; each; each = each.above) kept.add(each);
    for (const row of rows) {
      let folded = false;
      for (let each = row.above; each; each = each.above) folded ||= !each.open;
      row.item.hidden = filtering ? !kept.has(row) : folded;
      if (row.span.children.length) row.item.setAttribute("aria-expanded", filtering || row.open ? "true" : "false");
    }
  };

  const toggle = (row, open) => {
    row.open = open;
    show();
  };

  for (const row of rows) {
    const fold = make("span", { class: row.span.children.length ? "fold" : "leaf", "aria-hidden": "true" });
    const said = make("span", { class: "said" }, ...words(row.span));
    row.item = make("div", { class: "row", role: "treeitem", "aria-level": row.depth + 1, tabIndex: -1 }, fold, said, bar(row.span, tree));
    fold.style.marginLeft = `${row.depth * 1.1}rem`;
    fold.addEventListener("click", (event) => {
      event.stopPropagation();
      toggle(row, !row.open);
    });
    row.item.addEventListener("click", () => choose(row));
    row.item.addEventListener("dblclick", () => toggle(row, !row.open));
    list.append(row.item);
  }

  list.addEventListener("keydown", (event) => {
    const seen = rows.filter((row) => !row.item.hidden);
    const at = seen.findIndex((row) => row.item === document.activeElement);
    if (at < 0) return;
    const row = seen[at];
    const to = { ArrowDown: seen[at + 1], ArrowUp: seen[at - 1], Home: seen[0], End: seen[seen.length - 1] }[event.key];
    if (event.key === "ArrowRight" && row.span.children.length) toggle(row, true);
    else if (event.key === "ArrowLeft" && row.open && row.span.children.length) toggle(row, false);
    else if (event.key === "ArrowLeft" && row.above) row.above.item.focus();
    else if (event.key === "Enter" || event.key === " ") choose(row);
    else if (to) to.item.focus();
    else return;
    event.preventDefault();
  });
  for (const control of [find, kind, failed]) control.addEventListener("input", show);

  const unfold = make("button", { type: "button" }, "Open all");
  unfold.addEventListener("click", () => {
    const open = rows.some((row) => !row.open && row.span.children.length);
    for (const row of rows) row.open = open || row.depth < 1;
    unfold.textContent = open ? "Close all" : "Open all";
    show();
  });
  const tools = make("div", { class: "tools" }, find, kind, make("label", {}, failed, " failed only"), unfold);
  place.replaceChildren(make("p", { class: "totals" }, told(tree.totals)), tools, make("div", { class: "halves" }, list, panel));
  if (rows.length) rows[0].item.tabIndex = 0;
  show();
  return (key) => {
    const row = rows.find((each) => each.span.span === key);
    if (!row) return;
    for (let each = row.above; each; each = each.above) each.open = true;
    show();
    row.item.scrollIntoView({ block: "center" });
    choose(row);
  };
};
