import type { Job } from "@findersfee/contract/work";
import type { Connection } from "@findersfee/database/postgres/connect";
import { findWork } from "@findersfee/database/work/jobs";
import type { Context } from "../../context.ts";
import { notFound } from "../../errors.ts";
import { viewJob } from "./view.ts";

/** One job with its progress. Errors: `not_found`. */
export async function getJob({ database, organization }: Context, id: string): Promise<Job> {
  return await requireJob(database, organization.id, id);
}

export async function requireJob(sql: Connection, organization_id: string, id: string): Promise<Job> {
  const row = await findWork(sql, organization_id, id);
  if (row === null) throw notFound("job");
  return viewJob(row);
}
