import {
  IMPORT_COLUMNS,
  type ImportAffiliates,
  MAX_IMPORT_LINES,
  type WrittenLine,
} from "@findersfee/contract/affiliates/import";
import type { Job } from "@findersfee/contract/work";
import { findCampaign } from "@findersfee/database/campaigns/campaigns";
import type { Context } from "../../context.ts";
import { readLines } from "../../csv/read-lines.ts";
import { DomainError, invalidField, notFound } from "../../errors.ts";
import { startJob } from "../../work/jobs/start.ts";

/** Lines of one step: about a second. */
const PART = 100;

/**
 * Starts the import of a CSV file. Its first line names the columns. Errors: `not_found` (campaign); `invalid_request`
 * for a file that is not CSV, has other columns, or too many lines; `jobs_running`.
 */
export async function importAffiliates(
  context: Context,
  input: ImportAffiliates,
  bytes: AsyncIterable<Uint8Array>,
): Promise<Job> {
  const { database, organization } = context;
  if ((await findCampaign(database, organization.id, input.campaign_id)) === null) throw notFound("campaign");
  const lines = await readWritten(bytes);
  if (lines.length === 0) throw new DomainError("invalid_request", { message: "The file has no lines." });
  const parts: string[] = [];
  for (let start = 0; start < lines.length; start += PART) {
    parts.push(JSON.stringify(lines.slice(start, start + PART)));
  }
  const job_input = { ...input, send_invitation: input.send_invitation ?? false };
  return await startJob(context, { kind: "affiliates_import", input: job_input, total: lines.length, parts });
}

async function readWritten(bytes: AsyncIterable<Uint8Array>): Promise<WrittenLine[]> {
  const lines: WrittenLine[] = [];
  let columns: readonly string[] | null = null;
  for await (const { cells } of readLines(bytes)) {
    if (columns === null) {
      columns = requireColumns(cells.map((cell) => cell.trim()));
      continue;
    }
    const named = columns;
    if (lines.length === MAX_IMPORT_LINES) {
      throw new DomainError("invalid_request", {
        message: `The file has more than ${MAX_IMPORT_LINES} lines.`,
      });
    }
    const present = cells.map((cell, index) => [named[index] ?? "", cell.trim()] as const);
    lines.push(Object.fromEntries(present.filter(([, cell]) => cell !== "")));
  }
  return lines;
}

function requireColumns(columns: readonly string[]): readonly string[] {
  const unknown = columns.find((column) => !IMPORT_COLUMNS.includes(column));
  if (unknown !== undefined) throw invalidField("columns", `Unknown column “${unknown.slice(0, 100)}”.`);
  if (!columns.includes("email")) throw invalidField("columns", "The column email is required.");
  if (new Set(columns).size < columns.length) throw invalidField("columns", "Each column may appear once.");
  return columns;
}
