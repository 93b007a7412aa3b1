import { join } from "./en/join.ts";
import { terms } from "./en/terms.ts";

/** The texts of the pages for joining a program. */
export const en_joining = { join, terms };
