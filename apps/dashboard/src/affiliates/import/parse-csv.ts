/*
 * Our own parser has 0.4 kB. The browser build of csv-parse, which the service uses, has 14 kB (both
 * compressed), and the page of the import already loads almost as much as a page may.
 */

const SEPARATORS = [",", ";", "\t"];

/** The lines of a text with separated values (RFC 4180); null: a quote is not closed. Empty lines are left out. */
export function parseCsv(text: string): string[][] | null {
  const separator = separatorOf(text);
  const lines: string[][] = [];
  let line: string[] = [];
  let cell = "";
  let is_quoted = false;
  const endCell = () => {
    line.push(cell);
    cell = "";
  };
  const endLine = () => {
    endCell();
    if (line.some((one) => one.trim() !== "")) lines.push(line);
    line = [];
  };
  for (let index = 0; index < text.length; index++) {
    const character = text[index] ?? "";
    if (is_quoted) {
      if (character !== '"') cell += character;
      else if (text[index + 1] === '"') {
        cell += '"';
        index += 1;
      } else is_quoted = false;
    } else if (character === '"' && cell.trim() === "") {
      cell = "";
      is_quoted = true;
    } else if (character === separator) endCell();
    else if (character === "\n") endLine();
    else if (character !== "\r" && character !== "\uFEFF") cell += character;
  }
  if (is_quoted) return null;
  endLine();
  return lines;
}

/** The one that the first line has most of. */
function separatorOf(text: string): string {
  const [first = ""] = text.split("\n", 1);
  const countOf = (separator: string) => first.split(separator).length;
  return SEPARATORS.reduce((best, one) => (countOf(one) > countOf(best) ? one : best));
}

/** Writes lines as CSV, each cell in quotes. */
export function writeCsv(lines: readonly (readonly string[])[]): string {
  return lines.map((line) => line.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(",")).join("\n");
}
