import type { PortalMe } from "@findersfee/contract/portal/program";
import type { Database } from "@findersfee/database/connect";
import { findPortalLanguage } from "@findersfee/database/portal-joining";
import { stateOf } from "../affiliates/state.ts";
import type { PortalSession } from "./authenticate.ts";

/** The address of a session, its language, and its programs, the newest first. */
export async function getPortalMe(
  database: Database,
  { email, by_staff, programs }: PortalSession,
): Promise<PortalMe> {
  return {
    email,
    by_staff,
    language: await findPortalLanguage(database, email),
    programs: [...programs.values()].map((program) => ({
      affiliate_id: program.affiliate_id,
      organization_name: program.organization_name,
      campaign_name: program.campaign_name,
      state: stateOf(program),
    })),
  };
}
