import { mkdtemp, rm, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createTestDatabase, type TestDatabase } from "@findersfee/database/testing";
import { ecbFile } from "@findersfee/domain/testing/exchange-rates/files";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Environment, findersfee, serviceEnvironment } from "./command-line.ts";

let test: TestDatabase;
let environment: Environment;
let folder: string;

beforeAll(async () => {
  test = await createTestDatabase();
  environment = serviceEnvironment(test.url);
  folder = await mkdtemp(join(tmpdir(), "findersfee-rates-"));
});

afterAll(async () => {
  await rm(folder, { recursive: true });
  await test.close();
});

it("imports a file, and corrects a rate that differs", async () => {
  const path = join(folder, "eurofxref-daily.xml");
  await writeFile(path, ecbFile({ "2026-11-26": { USD: "1.0812", JPY: "163.40" } }));
  expect(await findersfee(`rates import ${path}`, environment)).toEqual({
    code: 0,
    stdout: "Read 2 rates of 2026-11-26 to 2026-11-26: 2 new, 0 corrected.\n",
    stderr: "",
  });
  await writeFile(path, "Date,USD,JPY,\n2026-11-26,1.0813,163.40,\n2026-11-25,1.08,N/A,\n");
  const again = await findersfee(`rates import ${path} --json`, environment);
  expect(JSON.parse(again.stdout)).toEqual({
    rates: 3,
    first_day: "2026-11-25",
    last_day: "2026-11-26",
    added: 1,
    corrected: 1,
  });
});

it("says what is wrong with a file", async () => {
  const path = join(folder, "page.html");
  await writeFile(path, "<html></html>");
  expect(await findersfee(`rates import ${path}`, environment)).toMatchObject({
    code: 1,
    stderr: "error: The file is no envelope of the European Central Bank's reference rates.\n",
  });
  await truncate(path, 33 * 1024 * 1024);
  const large = await findersfee(`rates import ${path}`, environment);
  expect(large).toMatchObject({ code: 1, stderr: `error: ${path} is larger than 32 MiB.\n` });
  const missing = await findersfee(`rates import ${join(folder, "missing.xml")}`, environment);
  expect(missing).toMatchObject({ code: 1, stderr: expect.stringContaining("no such file") });
});
