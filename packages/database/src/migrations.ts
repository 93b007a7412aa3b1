import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";

/** A file of `migrations/`: `NNNN_name.sql`. */
export interface Migration {
  number: number;
  name: string;
  sql: string;
  /** SHA-256 of the text, in hex. */
  checksum: string;
}

const FOLDER = new URL("../migrations/", import.meta.url);

/** Returns the migrations of this build, in order. */
export async function readMigrations(folder: URL = FOLDER): Promise<Migration[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith(".sql")).sort();
  const migrations = await Promise.all(names.map((name) => readMigration(folder, name)));
  for (const [index, migration] of migrations.entries()) {
    if (migration.number !== index + 1) {
      throw new Error(
        `The migrations are numbered without gaps; ${migration.name} is not number ${index + 1}.`,
      );
    }
  }
  return migrations;
}

async function readMigration(folder: URL, name: string): Promise<Migration> {
  const number = /^([0-9]{4})_[a-z0-9_]+\.sql$/.exec(name)?.[1];
  if (number === undefined) throw new Error(`The migration ${name} is not named NNNN_name.sql.`);
  // Git may have changed the line endings of the file.
  const sql = (await readFile(new URL(name, folder), "utf8")).replaceAll("\r\n", "\n");
  return {
    number: Number(number),
    name: name.slice(0, -".sql".length),
    sql,
    checksum: createHash("sha256").update(sql).digest("hex"),
  };
}

const COMPATIBLE_SINCE = /^-- compatible since ([0-9]{4})$/m;
const OUTSIDE_TRANSACTION = /^-- outside of a transaction$/m;

/**
 * The oldest version that runs with a migration, as the number of the last migration that the version knows. A line
 * `-- compatible since NNNN` states it; without one, only versions that have the migration run with it. docs/contributing/changes.md says
 * when it is right.
 */
export function compatibleSince({ number, sql }: Pick<Migration, "number" | "sql">): number {
  const since = COMPATIBLE_SINCE.exec(sql)?.[1];
  return since === undefined ? number : Number(since);
}

/** Whether a line says that the statements run one by one, each in a transaction of its own. */
export function isOutsideTransaction({ sql }: Pick<Migration, "sql">): boolean {
  return OUTSIDE_TRANSACTION.test(sql);
}
