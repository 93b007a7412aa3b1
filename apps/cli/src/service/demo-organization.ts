import { isIPv4 } from "node:net";
import type { Database } from "@findersfee/database/postgres/connect";
import { type CreatedOrganization, createFirstOrganization } from "@findersfee/domain/organizations/create";
import type { Config } from "../config.ts";

const DEMO = { name: "Demo", currency: "USD", subscription_status: "active" } as const;

/**
 * Creates the demo organization if this is a trial on one machine and the database has no organization yet;
 * null otherwise. Its keys are not stored: only this start shows them.
 */
export async function createDemoOrganization(
  config: Config,
  database: Database,
): Promise<CreatedOrganization | null> {
  if (!isTrial(config)) return null;
  return await createFirstOrganization(database, DEMO);
}

/** A key that is printed and logged must not open a service that others can reach. */
function isTrial({ DATABASE_URL, HOST }: Config): boolean {
  return DATABASE_URL === null && isLoopback(HOST);
}

function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || (isIPv4(host) && host.startsWith("127."));
}
