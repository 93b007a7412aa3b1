import { stringify } from "csv-stringify/sync";

/** The text of a file's cell. `exact` is written unchanged, even if a spreadsheet may read it as a formula. */
export type Cell = string | { exact: string };

/** The start of files for people: without it, Excel reads them in another encoding. Providers' files have none. */
export const BYTE_ORDER_MARK = "\uFEFF";

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are removed
const CONTROL = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g;

/**
 * Prefixes that a spreadsheet reads as a formula, including those after another separator, which would start a new
 * cell.
 */
const FORMULA = /((?:^|[;,|])["'\s]*)(?=[=+\-@＝＋－＠])/g;

/**
 * Writes lines of a CSV file (RFC 4180). Affiliates control some of the content, and people open such files in
 * spreadsheets. So a cell that would be a formula starts with an apostrophe, and no cell has line breaks or tabs
 * (owasp.org/www-community/attacks/CSV_Injection). Exact cells are the exception: a provider pays to the address in
 * them.
 */
export function writeLines(lines: readonly (readonly Cell[])[]): string {
  return stringify(
    lines.map((line) => line.map((cell) => (typeof cell === "string" ? plain(cell) : cell.exact))),
    { record_delimiter: "\r\n" },
  );
}

function plain(cell: string): string {
  return cell.replace(CONTROL, " ").trim().replace(FORMULA, "$1'");
}
