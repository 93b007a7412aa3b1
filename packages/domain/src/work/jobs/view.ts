import type { Job } from "@findersfee/contract/work";
import type { WorkRow } from "@findersfee/database/work/jobs";
import { z } from "zod";
import { type Actor, actorText } from "../../actor.ts";
import { FILES_RETENTION_DAYS } from "./limits.ts";

const DAY_MILLISECONDS = 24 * 60 * 60 * 1000;

export const countsSchema = z.record(z.string(), z.int());

/** `actor`: who asks. */
export function viewJob(row: WorkRow, actor: Actor): Job {
  return {
    id: row.id,
    kind: row.kind,
    state: row.state,
    done: row.done,
    total: row.total,
    result: row.result === null ? null : countsSchema.parse(row.result),
    file: fileOf(row),
    started_by: row.started_by_name,
    is_own: row.started_by === actorText(actor),
    period: row.period,
    endpoint_id: row.endpoint_id,
    created_at: row.created_at.toISOString(),
    finished_at: row.finished_at?.toISOString() ?? null,
    reason: row.reason,
  };
}

function fileOf({ file_name, file_bytes, files_deleted_at, finished_at }: WorkRow): Job["file"] {
  if (file_name === null || file_bytes === 0n || files_deleted_at !== null || finished_at === null)
    return null;
  const expires_at = new Date(finished_at.getTime() + FILES_RETENTION_DAYS * DAY_MILLISECONDS).toISOString();
  return { name: file_name, bytes: Number(file_bytes), expires_at };
}
