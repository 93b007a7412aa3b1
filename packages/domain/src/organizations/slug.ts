import { randomInt } from "node:crypto";

const LONGEST = 48;
const NAMELESS = "organization";

/** The slug of a name: its Latin letters and digits in lower case, joined by hyphens. */
export function slugOf(name: string): string {
  const letters = name
    .normalize("NFKD")
    .replace(/\p{Mark}/gu, "")
    .toLowerCase();
  const words = letters.match(/[a-z0-9]+/g) ?? [];
  return words.join("-").slice(0, LONGEST).replace(/-$/, "") || NAMELESS;
}

/** Another slug for the same name, if an organization has that one. */
export function slugBeside(slug: string): string {
  return `${slug}-${randomInt(100_000, 1_000_000)}`;
}
