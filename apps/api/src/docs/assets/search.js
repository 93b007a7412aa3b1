/* Searches all pages and operations. */

const MAX_RESULTS = 12;

const root = new URL(".", import.meta.url);
const box = document.querySelector(".search");
const input = document.querySelector("#search");
const panel = document.querySelector("#results");
const list = panel.querySelector("ol");
const status = panel.querySelector("[role=status]");

let loading = null;

/** The index, built on first use. */
function index() {
  loading ??= Promise.all([
    import("./minisearch.js"),
    fetch(new URL("search.json", root)).then((answer) => answer.json()),
  ]).then(([{ default: MiniSearch }, entries]) => {
    const search = new MiniSearch({
      fields: ["page", "heading", "request", "text"],
      storeFields: ["page", "heading", "request", "text"],
      searchOptions: {
        boost: { page: 3, heading: 4, request: 3 },
        prefix: true,
        fuzzy: (term) => (term.length > 4 ? 0.2 : 0),
        combineWith: "AND",
      },
    });
    search.addAll(entries);
    return search;
  });
  return loading;
}

async function show() {
  const query = input.value.trim();
  panel.hidden = query === "";
  if (query === "") return;
  if (list.childElementCount === 0) status.textContent = "Searching…";
  const found = (await index()).search(query);
  // The query changed while the index loaded: the newer query shows its own results.
  if (query !== input.value.trim()) return;
  const results = found.slice(0, MAX_RESULTS);
  status.textContent = results.length === 0 ? `No results for “${query}”` : countOf(found.length);
  list.replaceChildren(...results.map(entryOf));
}

function countOf(results) {
  return results === 1 ? "1 result" : `${results} results`;
}

function entryOf({ id, page, heading, request, text, terms }) {
  const link = document.createElement("a");
  link.href = new URL(id, root);
  const title = document.createElement("strong");
  title.textContent = page === heading ? page : `${page}: ${heading}`;
  const excerpt = document.createElement("span");
  excerpt.textContent = excerptOf(text, terms);
  link.append(title);
  if (request !== undefined) {
    const code = document.createElement("code");
    code.textContent = request;
    link.append(code);
  }
  link.append(excerpt);
  const item = document.createElement("li");
  item.append(link);
  return item;
}

/** An excerpt around the first match. */
function excerptOf(text, terms) {
  const words = text.trim().split(/\s+/);
  const place = words.findIndex((word) => terms.some((term) => word.toLowerCase().includes(term)));
  const from = Math.max(0, place - 6);
  const excerpt = words.slice(from, from + 24).join(" ");
  return `${from > 0 ? "… " : ""}${excerpt}${words.length > from + 24 ? " …" : ""}`;
}

function close() {
  panel.hidden = true;
}

/** Moves the focus among the results, by -1 or 1; the search field precedes the first result. */
function move(by) {
  const stops = [input, ...list.querySelectorAll("a")];
  const place = stops.indexOf(document.activeElement) + by;
  stops[Math.min(Math.max(place, 0), stops.length - 1)]?.focus();
}

input.addEventListener("focus", index);
input.addEventListener("input", show);
input.addEventListener("click", show);
box.addEventListener("keydown", (event) => {
  if (event.key === "ArrowDown") move(1);
  else if (event.key === "ArrowUp") move(-1);
  else if (event.key === "Enter" && event.target === input) list.querySelector("a")?.click();
  else if (event.key === "Escape") {
    input.focus();
    close();
  } else return;
  event.preventDefault();
});
list.addEventListener("click", close);
document.addEventListener("pointerdown", (event) => {
  if (!box.contains(event.target)) close();
});
document.addEventListener("keydown", (event) => {
  const is_typing = event.target.closest("input, textarea, select, [contenteditable]") !== null;
  const is_slash = event.key === "/" && !event.ctrlKey && !event.metaKey && !event.altKey && !is_typing;
  const is_command = event.key.toLowerCase() === "k" && (event.ctrlKey || event.metaKey);
  if (!is_slash && !is_command) return;
  event.preventDefault();
  input.focus();
});
