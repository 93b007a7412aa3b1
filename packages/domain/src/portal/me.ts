import type { PortalMe } from "@findersfee/contract/portal/program";
import { stateOf } from "../affiliates/state.ts";
import type { PortalSession } from "./authenticate.ts";

/** The address of a session, and its programs, the newest first. */
export function getPortalMe({ email, programs }: PortalSession): PortalMe {
  return {
    email,
    programs: [...programs.values()].map((program) => ({
      affiliate_id: program.affiliate_id,
      organization_name: program.organization_name,
      campaign_name: program.campaign_name,
      state: stateOf(program),
    })),
  };
}
