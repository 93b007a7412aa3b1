import { application } from "./application.ts";
import { claims } from "./claims.ts";
import { closed } from "./closed.ts";
import { earnings } from "./earnings.ts";
import { home } from "./home.ts";
import { invitations } from "./invitations.ts";
import { leaving } from "./leaving.ts";
import { me } from "./me.ts";
import { payouts } from "./payouts.ts";
import { performance } from "./performance.ts";
import { program } from "./program.ts";
import { recruits } from "./recruits.ts";
import { referrals } from "./referrals.ts";
import { sessions } from "./sessions.ts";
import { settings } from "./settings.ts";
import { sub_ids } from "./sub-ids.ts";
import { tiers } from "./tiers.ts";
import { portalRouter } from "./trpc.ts";

/** The operations of affiliates, at `/portal/trpc`. */
export const portal_router = portalRouter({
  application,
  claims,
  closed,
  earnings,
  home,
  invitations,
  leaving,
  me,
  payouts,
  performance,
  program,
  referrals,
  sessions,
  settings,
  sub_ids,
  recruits,
  tiers,
});

export type PortalRouter = typeof portal_router;
