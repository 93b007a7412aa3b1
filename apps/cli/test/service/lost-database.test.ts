import { createTestDatabase, type TestDatabase } from "@findersfee/database/testing";
import { FaultyPostgres } from "@findersfee/database/testing/faults/faulty-postgres";
import { afterAll, beforeAll, expect, it } from "vitest";
import { CommandLine, serviceEnvironment } from "../command-line.ts";

let test: TestDatabase;
let faulty: FaultyPostgres;

beforeAll(async () => {
  test = await createTestDatabase();
  faulty = await FaultyPostgres.before(test.url);
});

afterAll(async () => {
  await faulty.close();
  await test.close();
});

it("serves although the database is lost once it listens", async () => {
  // A statement after that, and all others until the fault is over.
  let is_lost = false;
  faulty.follow(({ sql }) => {
    is_lost ||= /lock table setup_tokens/.test(sql);
    return is_lost ? "cut_before" : null;
  });
  const api = new CommandLine(["api"], serviceEnvironment(faulty.url));
  try {
    const url = await api.says(/served at (\S+)\/v1,/);
    await api.says(/The database is unavailable: the API waits for it/);
    faulty.lift();
    await expect.poll(async () => (await fetch(`${url}/readyz`)).status).toBe(200);
  } finally {
    expect(await api.end("SIGTERM")).toMatchObject({ code: 0, stderr: "" });
  }
});
