import type { claims } from "./en/claims.ts";
import type { commissions } from "./en/commissions.ts";
import type { earnings } from "./en/earnings.ts";
import type { embed } from "./en/embed.ts";
import type { home } from "./en/home.ts";
import type { invitations } from "./en/invitations.ts";
import type { join } from "./en/join.ts";
import type { payouts } from "./en/payouts.ts";
import type { performance } from "./en/performance.ts";
import type { referrals } from "./en/referrals.ts";
import type { rules } from "./en/rules.ts";
import type { settings } from "./en/settings.ts";
import type { states } from "./en/states.ts";
import type { terms } from "./en/terms.ts";
import type { en_entrance } from "./en-entrance.ts";

/** The texts of the sign-in, which all pages have. */
export type EntranceTexts = typeof en_entrance;

/** The texts of some pages, by subject: they load with these pages. */
export interface SubjectTexts {
  claims: typeof claims;
  commissions: typeof commissions;
  earnings: typeof earnings;
  embed: typeof embed;
  home: typeof home;
  invitations: typeof invitations;
  join: typeof join;
  payouts: typeof payouts;
  performance: typeof performance;
  referrals: typeof referrals;
  rules: typeof rules;
  settings: typeof settings;
  states: typeof states;
  terms: typeof terms;
}

/** All texts of the portal. English ones are the model of the others. */
export type Texts = EntranceTexts & SubjectTexts;
