import { components } from "./de/components.ts";
import { failures } from "./de/failures.ts";
import { frame } from "./de/frame.ts";
import { sign_in } from "./de/sign-in.ts";
import type { en_entrance } from "./en-entrance.ts";

/** The texts of all pages, and of the sign-in. */
export const de_entrance = { components, failures, frame, sign_in } satisfies typeof en_entrance;
