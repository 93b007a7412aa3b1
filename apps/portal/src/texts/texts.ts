import type { en } from "./en.ts";

/** All texts of the portal. English ones are the model of the others. */
export type Texts = typeof en;
