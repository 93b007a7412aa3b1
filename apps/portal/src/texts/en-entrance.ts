import { components } from "./en/components.ts";
import { failures } from "./en/failures.ts";
import { frame } from "./en/frame.ts";
import { sign_in } from "./en/sign-in.ts";

/** The texts of all pages, and of the sign-in. */
export const en_entrance = { components, failures, frame, sign_in };
