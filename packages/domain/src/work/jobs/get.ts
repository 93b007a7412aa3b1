import type { Job } from "@findersfee/contract/work";
import type { Connection } from "@findersfee/database/postgres/connect";
import { findWork } from "@findersfee/database/work/jobs";
import type { Context } from "../../context.ts";
import { notFound } from "../../errors.ts";
import { viewJob } from "./view.ts";

/** One job with its progress. Errors: `not_found`. */
export async function getJob(context: Context, id: string): Promise<Job> {
  return await requireJob(context.database, context, id);
}

export async function requireJob(
  sql: Connection,
  { organization, actor }: Pick<Context, "organization" | "actor">,
  id: string,
): Promise<Job> {
  const row = await findWork(sql, organization.id, id);
  if (row === null) throw notFound("job");
  return viewJob(row, actor);
}
