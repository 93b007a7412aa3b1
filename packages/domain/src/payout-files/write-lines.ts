import { stringify } from "csv-stringify/sync";
import type { Cell } from "./format.ts";

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out
const CONTROL = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g;

/** What a spreadsheet reads as a formula, also where another separator than ours would make it begin a cell. */
const FORMULA = /((?:^|[;,|])["'\s]*)(?=[=+\-@＝＋－＠])/g;

/**
 * Lines of a CSV file (RFC 4180). Affiliates choose what is in some of them, and people open such files in
 * spreadsheets: a cell that would be a formula there begins with an apostrophe, and no cell has line breaks or tabs
 * (owasp.org/www-community/attacks/CSV_Injection). Exact cells are the exception: a provider pays the address in them.
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
