import type { PortalMe } from "@findersfee/contract/portal/program";
import { findPortalLanguage } from "@findersfee/database/portal/joining";
import { findPortalLooks } from "@findersfee/database/portal/looks";
import type { Database } from "@findersfee/database/postgres/connect";
import { stateOf } from "../affiliates/state.ts";
import type { PortalSession } from "./authenticate.ts";
import { viewPublicLook } from "./look.ts";

/** The address of a session, its language, and its programs, the newest first, with the looks of their organizations. */
export async function getPortalMe(
  database: Database,
  { email, by_staff, programs }: PortalSession,
): Promise<PortalMe> {
  const ids = new Set([...programs.values()].map(({ organization_id }) => organization_id));
  const [language, looks] = await Promise.all([
    findPortalLanguage(database, email),
    findPortalLooks(database, [...ids]),
  ]);
  return {
    email,
    by_staff,
    language,
    organizations: looks.map(viewPublicLook),
    programs: [...programs.values()].map((program) => ({
      affiliate_id: program.affiliate_id,
      organization_id: program.organization_id,
      organization_name: program.organization_name,
      campaign_name: program.campaign_name,
      state: stateOf(program),
    })),
  };
}
