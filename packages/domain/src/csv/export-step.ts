import { z } from "zod";
import { type Cell, writeLines } from "./write-lines.ts";

/** Rows of one step of an export. A step takes about 100 ms with its further reads. */
export const EXPORT_PAGE = 1_000;

/** Where an export's next step continues: below the row with this id. Null: at the first row. */
export const exportPosition = z.object({ after: z.string() }).nullable();

/** The progress of an export by a page of at most `EXPORT_PAGE` rows. The first step also writes the header. */
export function exportProgress(
  { done, position }: { done: number; position: unknown },
  {
    header,
    rows,
    lines,
  }: { header: readonly string[]; rows: readonly { id: string }[]; lines: readonly (readonly Cell[])[] },
): { position: { after: string } | null; done: number; content: string } {
  const last = rows.length < EXPORT_PAGE ? undefined : rows.at(-1);
  return {
    position: last === undefined ? null : { after: last.id },
    done: done + rows.length,
    content: writeLines(position === null ? [header, ...lines] : lines),
  };
}
