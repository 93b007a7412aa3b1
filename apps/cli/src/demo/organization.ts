import { findEmbedded } from "@findersfee/database/embedded/embedded";
import { createApiKey } from "@findersfee/domain/identity/api-keys/create";
import { createOrganization } from "@findersfee/domain/organizations/create";
import { withDatabase } from "../command-database.ts";
import type { Config } from "../config.ts";

/** The demo's own organization and its keys. */
export interface DemonstrationOrganization {
  organization_id: string;
  api_key: string;
  publishable_key: string;
  /** For the dashboard's operations; valid for one hour. */
  admin_key: string;
}

const HOUR_MILLISECONDS = 3_600_000;

/** Creates the organization in the configured database: an operator's task, not available through an API. */
export async function makeOrganization(config: Config): Promise<DemonstrationOrganization> {
  await requireRunning(config);
  return await withDatabase(config, async (database) => {
    const created = await createOrganization(database, {
      name: "Demonstration",
      currency: "USD",
      subscription_status: "active",
    });
    const { token } = await createApiKey(database, {
      organization_id: created.organization_id,
      name: "Demonstration",
      scopes: ["admin"],
      expires_at: new Date(Date.now() + HOUR_MILLISECONDS),
    });
    return { ...created, admin_key: token };
  });
}

/** Without a running Postgres, opening the database would create a new one that the service does not use. */
async function requireRunning({ DATABASE_URL, DATA_DIR }: Config): Promise<void> {
  if (DATABASE_URL !== null || (await findEmbedded(DATA_DIR)) !== null) return;
  throw new Error(
    `The service responds, but its database is not in ${DATA_DIR}. Run this where \`findersfee start\` runs, with the same DATA_DIR or DATABASE_URL.`,
  );
}
