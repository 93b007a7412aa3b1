import type { PortalMe } from "@findersfee/contract/portal/program";
import { findPortalLanguage } from "@findersfee/database/portal/joining";
import { findPortalLooks } from "@findersfee/database/portal/looks";
import type { PortalProgramRow } from "@findersfee/database/portal/sessions";
import type { Database } from "@findersfee/database/postgres/connect";
import { stateOf } from "../affiliates/state.ts";
import type { PortalSession } from "./authenticate.ts";
import { viewPublicLook } from "./look.ts";

/**
 * The address of a session, its language, and its programs, the newest first, with the looks of their organizations. Invitations
 * come without a look: their organization could look like another one.
 */
export async function getPortalMe(
  database: Database,
  { email, by_staff, programs, invitations }: PortalSession,
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
      ...nameProgram(program),
      state: stateOf(program),
    })),
    invitations: [...invitations.values()].map(nameProgram),
  };
}

function nameProgram({
  affiliate_id,
  organization_id,
  organization_name,
  campaign_name,
  campaign_translations,
}: PortalProgramRow) {
  return { affiliate_id, organization_id, organization_name, campaign_name, campaign_translations };
}
