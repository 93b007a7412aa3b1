import type { Database } from "@findersfee/database/postgres/connect";
import { type CreatedOrganization, createFirstOrganization } from "@findersfee/domain/organizations/create";
import type { Config } from "../config.ts";
import { isTrial } from "./trial.ts";

const DEMO = { name: "Demo", currency: "USD", subscription_status: "active" } as const;

/**
 * Creates the demo organization if this is a trial on one machine and the database has no organization yet;
 * null otherwise. Its keys are not stored: only this start shows them.
 */
export async function createDemoOrganization(
  config: Config,
  database: Database,
): Promise<CreatedOrganization | null> {
  // A key that is printed and logged must not open a service that others can reach.
  if (!isTrial(config)) return null;
  return await createFirstOrganization(database, DEMO);
}
