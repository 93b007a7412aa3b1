import type { Session } from "../../session/session.tsx";
import { FIELDS, labelOf } from "./columns.ts";
import { writeCsv } from "./parse-csv.ts";
import { texts } from "./texts.ts";

/** A line of the file, as it will be sent, with its judgment. */
export interface Line {
  /** In the file, from 1. */
  number: number;
  values: Record<string, string>;
  outcome: "new" | "exists" | "wrong";
  /** Why it is left out. */
  reason: string;
  affiliate_id: string | null;
}

/** The target of the lines. */
export interface Target {
  campaign_id: string;
  approved: boolean;
  send_invitation: boolean;
}

/** Lines of one request, which the service limits. */
const BATCH = 200;

/** The cells of each line by field, without empty ones. */
export function valuesOf(lines: readonly (readonly string[])[], fields: readonly (string | null)[]) {
  return lines.map((cells) =>
    Object.fromEntries(
      fields.flatMap((field, index) => {
        const value = (cells[index] ?? "").trim();
        return field === null || value === "" ? [] : [[field, value]];
      }),
    ),
  );
}

/** Has the service check each line, without writing anything. */
export async function checkLines(
  { api }: Session,
  campaign_id: string,
  { all, onProgress }: { all: readonly Record<string, string>[]; onProgress: (done: number) => void },
): Promise<Line[]> {
  const judged: Line[] = [];
  for (let start = 0; start < all.length; start += BATCH) {
    const batch = all.slice(start, start + BATCH);
    const judgments = await api.dashboard.affiliates.checkImport.mutate({ campaign_id, lines: batch });
    for (const [index, { outcome, affiliate_id, issues }] of judgments.entries()) {
      judged.push({
        // The first line of the file names the columns.
        number: start + index + 2,
        values: batch[index] ?? {},
        outcome,
        affiliate_id,
        reason:
          outcome === "exists"
            ? texts.exists
            : issues.map(({ path, message }) => `${labelOf(path)}: ${message}`).join(" "),
      });
    }
    onProgress(judged.length);
  }
  return judged;
}

/** Codes that belong to at most one affiliate of the organization. */
const CODES = ["ref_code", "promo_code"] as const;

/** Compares lines with each other. If two have the same email or code, the first counts. */
export function withoutTwins(lines: readonly Line[]): Line[] {
  const first = new Map<string, number>();
  return lines.map((line) => {
    if (line.outcome !== "new") return line;
    const keyOf = (field: string) => `${field} ${line.values[field]?.toLowerCase() ?? ""}`;
    const email_twin = first.get(keyOf("email"));
    if (email_twin !== undefined) return { ...line, outcome: "exists", reason: texts.same_as(email_twin) };
    const codes = CODES.filter((field) => line.values[field] !== undefined);
    const reasons = codes.flatMap((field) => {
      const twin = first.get(keyOf(field));
      return twin === undefined ? [] : [texts.same_code(labelOf(field), twin)];
    });
    if (reasons.length > 0) return { ...line, outcome: "wrong", reason: reasons.join(" ") };
    for (const field of ["email", ...codes]) first.set(keyOf(field), line.number);
    return line;
  });
}

/** The file to import: the new lines in the fields of the service. */
export function fileOf(lines: readonly Line[]): string {
  const rows = lines.filter(({ outcome }) => outcome === "new");
  const fields = FIELDS.filter((field) => rows.some(({ values }) => values[field] !== undefined));
  return writeCsv([fields, ...rows.map(({ values }) => fields.map((field) => values[field] ?? ""))]);
}
