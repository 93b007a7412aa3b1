import type { Job } from "@findersfee/contract/work";
import { listWork } from "@findersfee/database/work/jobs";
import type { Context } from "../../context.ts";
import { viewJob } from "./view.ts";

/** The most jobs of each kind to list. */
const LIMIT = 20;
/** Finished work is listed for this time. */
const RECENT_MILLISECONDS = 24 * 60 * 60 * 1000;

/** The organization's unfinished jobs, payout runs and replays, and those that finished within a day; newest first. */
export async function listJobs({ database, organization, actor }: Context): Promise<{ data: Job[] }> {
  const since = new Date(Date.now() - RECENT_MILLISECONDS);
  const rows = await listWork(database, organization.id, { since, limit: LIMIT });
  return { data: rows.map((row) => viewJob(row, actor)) };
}
