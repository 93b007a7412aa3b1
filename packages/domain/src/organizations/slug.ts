import { randomInt } from "node:crypto";
import { latinWords } from "@findersfee/contract/latin-letters";

const LONGEST = 48;
const NAMELESS = "organization";

/** The slug of a name: its Latin letters and digits in lower case, joined by hyphens. */
export function slugOf(name: string): string {
  return latinWords(name).join("-").slice(0, LONGEST).replace(/-$/, "") || NAMELESS;
}

/** Another slug for the same name, if an organization has that one. */
export function slugBeside(slug: string): string {
  return `${slug}-${randomInt(100_000, 1_000_000)}`;
}
