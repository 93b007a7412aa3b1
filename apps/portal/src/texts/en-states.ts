import { states } from "./en/states.ts";

/** The texts of those who are not active. */
export const en_states = { states };
