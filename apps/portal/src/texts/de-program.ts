import { claims } from "./de/claims.ts";
import { embed } from "./de/embed.ts";
import { home } from "./de/home.ts";
import { payouts } from "./de/payouts.ts";
import { settings } from "./de/settings.ts";
import { states } from "./de/states.ts";
import type { en_program } from "./en-program.ts";

/** The texts of the pages of a program. */
export const de_program = { claims, embed, home, payouts, settings, states } satisfies typeof en_program;
