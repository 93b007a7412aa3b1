import { claims } from "./en/claims.ts";
import { components } from "./en/components.ts";
import { embed } from "./en/embed.ts";
import { failures } from "./en/failures.ts";
import { frame } from "./en/frame.ts";
import { home } from "./en/home.ts";
import { payouts } from "./en/payouts.ts";
import { settings } from "./en/settings.ts";
import { sign_in } from "./en/sign-in.ts";
import { states } from "./en/states.ts";

/** The texts in English, by subject. */
export const en = { claims, components, embed, failures, frame, home, payouts, settings, sign_in, states };
