import { en_entrance } from "./en-entrance.ts";
import { en_joining } from "./en-joining.ts";
import { en_program } from "./en-program.ts";

/** The texts in English, by subject. */
export const en = { ...en_entrance, ...en_joining, ...en_program };
