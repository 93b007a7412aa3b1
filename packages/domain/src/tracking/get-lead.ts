import type { Lead } from "@findersfee/contract/tracking/leads";
import { findLead } from "@findersfee/database/attribution/leads";
import { viewLead } from "../attribution/view-lead.ts";
import type { Context } from "../context.ts";
import { notFound } from "../errors.ts";

/** A sign-up, a trial or a reported conversion. Errors: `not_found`. */
export async function getLead({ database, organization }: Context, id: string): Promise<Lead> {
  const row = await findLead(database, organization.id, id);
  if (row === null) throw notFound("lead");
  return viewLead(row);
}
