import { claims } from "./en/claims.ts";
import { embed } from "./en/embed.ts";
import { home } from "./en/home.ts";
import { payouts } from "./en/payouts.ts";
import { settings } from "./en/settings.ts";
import { states } from "./en/states.ts";

/** The texts of the pages of a program. */
export const en_program = { claims, embed, home, payouts, settings, states };
