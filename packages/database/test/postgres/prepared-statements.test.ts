import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { connect } from "../../src/postgres/connect.ts";
import { checkPreparedStatements } from "../../src/postgres/prepared-statements.ts";
import { migrate } from "../../src/schema/migrate.ts";
import { createTestDatabase, type TestDatabase } from "../test-database.ts";
import { PgBouncer, pgbouncerVersion } from "./pgbouncer.ts";

let test: TestDatabase;

beforeAll(async () => {
  test = await createTestDatabase({ migrated: false });
});

afterAll(() => test.close());

it("accepts a connection without a pooler", async () => {
  await checkPreparedStatements({ url: test.url, prepare: true, name: "test" });
});

/** Whether it can keep track of prepared statements. */
function keepsTrack(version: string): boolean {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  return major > 1 || minor >= 21;
}

const version = pgbouncerVersion();

describe.skipIf(version === null)("behind PgBouncer in transaction mode", () => {
  let bouncer: PgBouncer;

  beforeAll(async () => {
    const settings = keepsTrack(version ?? "") ? { max_prepared_statements: "0" } : {};
    bouncer = await PgBouncer.start(test.url, settings);
  });

  afterAll(() => bouncer.stop());

  it("fail with an error that names the setting", async () => {
    await expect(checkPreparedStatements({ url: bouncer.url, prepare: true, name: "test" })).rejects.toThrow(
      /^The pooler .* set DATABASE_PREPARE=false/,
    );
  });

  it("are not required when disabled", async () => {
    await checkPreparedStatements({ url: bouncer.url, prepare: false, name: "test" });
    const database = connect({ url: bouncer.url, poolSize: 4, prepare: false, name: "test" });
    expect(await migrate(database)).toContain("0001_organizations");
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, number) => database`select ${number}::int as number`),
    );
    expect(answers.map(([row]) => row?.number)).toEqual(Array.from({ length: 50 }, (_, number) => number));
    await database.end();
  });

  it("are not checked on a shared connection", async () => {
    const single = await PgBouncer.start(test.url, { default_pool_size: "1" });
    try {
      await checkPreparedStatements({ url: single.url, prepare: true, name: "test" });
    } finally {
      await single.stop();
    }
  });
});
