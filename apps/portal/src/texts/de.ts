import { claims } from "./de/claims.ts";
import { components } from "./de/components.ts";
import { embed } from "./de/embed.ts";
import { failures } from "./de/failures.ts";
import { frame } from "./de/frame.ts";
import { home } from "./de/home.ts";
import { payouts } from "./de/payouts.ts";
import { settings } from "./de/settings.ts";
import { sign_in } from "./de/sign-in.ts";
import { states } from "./de/states.ts";
import type { Texts } from "./texts.ts";

/** The texts in German, by subject. */
export const de = {
  claims,
  components,
  embed,
  failures,
  frame,
  home,
  payouts,
  settings,
  sign_in,
  states,
} satisfies Texts;
