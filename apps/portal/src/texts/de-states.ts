import { states } from "./de/states.ts";
import type { en_states } from "./en-states.ts";

/** The texts of those who are not active. */
export const de_states = { states } satisfies typeof en_states;
