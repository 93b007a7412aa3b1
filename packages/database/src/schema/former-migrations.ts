import { createHash } from "node:crypto";
import type { Migration } from "../migrations.ts";
import type { Connection } from "../postgres/connect.ts";

/*
 * Until November 2026, 48 migrations made the schema that the baseline makes now. A database that has all of them needs
 * only the baseline's names in `schema_migrations`.
 *
 * No released version has the former migrations, so the first release deletes this file, its calls in `migrate.ts`, its
 * test and `test/schema/former-schema`.
 */

/** The row of a migration in `schema_migrations`. */
export interface AppliedMigration extends Pick<Migration, "number" | "name" | "checksum"> {
  /** The oldest version that runs with it, as the number of its last migration; null: only those that know it. */
  compatible_since: number | null;
}

/** The number of files of the baseline. Later files change existing databases. */
export const BASELINE_LENGTH = 18;

const FIRST = "0001_tenancy";
/** SHA-256 of their lines `name checksum`. */
const DIGEST = "181f5af33d00c2dd1684fb3770f61bd24e6be87baa34e6df0c0164d041aab1a6";
/** A commit that has them. */
const COMMIT = "0344847a";

/** Replaces the names of all former migrations by those of the baseline. Leaves other databases alone. */
export async function adoptBaseline(
  sql: Connection,
  applied: readonly AppliedMigration[],
  known: readonly Migration[],
): Promise<void> {
  if (!hasAllFormer(applied)) return;
  await sql`delete from schema_migrations`;
  for (const { number, name, checksum } of known.slice(0, BASELINE_LENGTH)) {
    await sql`
      insert into schema_migrations (number, name, checksum) values (${number}, ${name}, ${checksum})`;
  }
}

/** Returns the first step for a database of former migrations; null for other databases. */
export function formerRemedy(applied: readonly AppliedMigration[]): string | null {
  if (applied[0]?.name !== FIRST) return null;
  if (hasAllFormer(applied))
    return "The database has the migrations from before the baseline: run `findersfee migrate`.";
  return `The database has ${applied.length} migrations from before the baseline, up to ${applied.at(-1)?.name}, and not exactly the 48 of commit ${COMMIT}, which this version takes over. Run \`findersfee migrate\` of that commit first, then this version's. If that commit refuses the database, too, create an empty database and set DATABASE_URL to it.`;
}

function hasAllFormer(applied: readonly AppliedMigration[]): boolean {
  const lines = applied.map(({ name, checksum }) => `${name} ${checksum}\n`);
  return createHash("sha256").update(lines.join("")).digest("hex") === DIGEST;
}
