import { join } from "./de/join.ts";
import { terms } from "./de/terms.ts";
import type { en_joining } from "./en-joining.ts";

/** The texts of the pages for joining a program. */
export const de_joining = { join, terms } satisfies typeof en_joining;
