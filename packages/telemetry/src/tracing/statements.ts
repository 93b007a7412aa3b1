const TABLE = String.raw`(?:only\s+)?([a-z_][a-z0-9_]*(?:\.[a-z_][a-z0-9_]*)?)\b`;
/** The words before a table; a name with a parenthesis behind `from` is a function. */
const USES = new RegExp(
  String.raw`\b(insert\s+into|update|delete\s+from)\s+${TABLE}|\b(from|join)\s+${TABLE}(?!\s*\()`,
  "gi",
);
/** The names of common table expressions. */
const EXPRESSION = /\b([a-z_][a-z0-9_]*)\s*(?:\([^()]*\)\s*)?as\s+(?:not\s+)?(?:materialized\s+)?\(/gi;
/** Comments, texts, and other places with `from` before something that is no table. */
const NO_USE =
  /--[^\n]*|'(?:[^']|'')*'|\bdistinct\s+from\b|\b(?:extract|trim|substring|overlay)\s*\((?:[^()]|\([^()]*\))*\)/gi;
/** Words after `update` if no table follows: `do update set`, `for update of`. */
const NO_TABLES = new Set(["lateral", "select", "set", "of", "skip", "nowait", "limit"]);
/** The limit of OpenTelemetry's convention. */
const MAX_CHARACTERS = 255;
const MAX_REMEMBERED = 2_000;

const remembered = new Map<string, string>();

/**
 * `INSERT events SELECT endpoints`: the operations of a statement with their tables, by OpenTelemetry's
 * convention `db.query.summary`.
 */
export function summarize(text: string): string {
  const known = remembered.get(text);
  if (known !== undefined) return known;
  const summary = summaryOf(text);
  // Statements are constants with a few variants.
  if (remembered.size >= MAX_REMEMBERED) remembered.clear();
  remembered.set(text, summary);
  return summary;
}

function summaryOf(text: string): string {
  const code = text.replaceAll(NO_USE, " ");
  const expressions = new Set([...code.matchAll(EXPRESSION)].map(([, name = ""]) => name.toLowerCase()));
  const uses = new Set<string>();
  for (const [, change, changed, , read = ""] of code.matchAll(USES)) {
    const name = (changed ?? read).toLowerCase();
    if (expressions.has(name) || NO_TABLES.has(name)) continue;
    uses.add(`${change === undefined ? "SELECT" : firstWord(change)} ${name}`);
  }
  const summary = uses.size === 0 ? firstWord(code) : [...uses].join(" ");
  if (summary.length <= MAX_CHARACTERS) return summary;
  return summary.slice(0, summary.lastIndexOf(" ", MAX_CHARACTERS));
}

function firstWord(text: string): string {
  return (/^\s*([a-z]+)/i.exec(text)?.[1] ?? "statement").toUpperCase();
}
