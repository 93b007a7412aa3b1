import { dictionary } from "@zxcvbn-ts/language-common";

/*
 * A module of its own, so that it is loaded on demand: bundled, a package in CommonJS has names where a module imports it, and none where
 * code loads it.
 */

/** The common passwords, the most frequent one first. */
export function listPasswords(): string[] {
  return dictionary["passwords-common"].map(String);
}
