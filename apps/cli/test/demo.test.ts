import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createTestDatabase, type TestDatabase } from "@findersfee/database/testing";
import { freePort } from "@findersfee/database/testing/free-port";
import { FULL_TESTS } from "@findersfee/database/testing/full-tests";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { CommandLine, type Environment, findersfee, serviceEnvironment } from "./command-line.ts";

const README = fileURLToPath(new URL("../../../README.md", import.meta.url));

let test: TestDatabase;
let environment: Environment;
let data_dir: string;
const running: CommandLine[] = [];

beforeAll(async () => {
  test = await createTestDatabase({ migrated: false });
  data_dir = await mkdtemp(join(tmpdir(), "findersfee-demo-"));
  environment = serviceEnvironment(test.url, { LOG_LEVEL: "fatal", DATA_DIR: data_dir });
});

afterEach(async () => {
  await Promise.all(running.splice(0).map((child) => child.end("SIGTERM")));
});

afterAll(async () => {
  await test.close();
  await rm(data_dir, { recursive: true });
});

/** Starts a part of the service; returns its address. */
async function serve(command: "start" | "api", changes: Environment = {}): Promise<string> {
  const service = new CommandLine([command], { ...environment, ...changes });
  running.push(service);
  return await service.says(/(http:\S+)\/v1/);
}

async function demo(url: string, parameters = "") {
  return await findersfee(`demo ${parameters}`, { ...environment, FINDERSFEE_URL: url });
}

/** Removes everything that differs between demo runs. */
function alike(text: string): string {
  return text
    .replaceAll(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, "<id>")
    .replaceAll(/127\.0\.0\.1:\d+/g, "<address>")
    .replaceAll(/ff_sk_[\w…]+/g, "<key>")
    .replaceAll(/\d+(\.\d)? s\b/g, "<time>")
    .trim();
}

/** What is in stderr beside the notices of a slow machine. */
function problemsIn(stderr: string): string {
  return stderr.replaceAll(/^ +waiting for .*, \d+ s of \d+\n/gm, "");
}

/** Each test starts several processes. */
describe("findersfee demo", () => {
  it("prints the README's output", async () => {
    const url = await serve("start");
    const { code, stdout, stderr } = await demo(url, "--timeout 240");
    expect({ code, problems: problemsIn(stderr) }).toEqual({ code: 0, problems: "" });
    const shown = /^```text\n(The organization .*?)```$/ms.exec(await readFile(README, "utf8"))?.[1] ?? "";
    expect(alike(stdout)).toBe(alike(shown));

    const endpoints = await test.database`select from endpoints`;
    expect(endpoints).toHaveLength(0);
  });

  it.runIf(FULL_TESTS)("runs again, at the address that follows from the configuration", async () => {
    const { port } = new URL(await serve("start"));
    const again = await findersfee("demo --json --timeout 240", { ...environment, PORT: port });
    expect({ code: again.code, problems: problemsIn(again.stderr) }).toEqual({ code: 0, problems: "" });
    const lines = again.stdout.trim().split("\n");
    const steps: unknown[] = lines.map((line) => JSON.parse(line));
    expect(steps).toHaveLength(15);
    expect(steps[13]).toMatchObject({ step: 14, steps: 14, data: { clicks: 1, balance: 34.3 } });
    expect(steps[14]).toMatchObject({ as_expected: true, api_key: expect.stringMatching(/^ff_sk_/) });
  });

  it.runIf(FULL_TESTS)("reports a missing worker, or another database", async () => {
    const other = await createTestDatabase();
    try {
      const url = await serve("api");
      const { code, stdout, stderr } = await demo(url, "--timeout 1");
      expect(code).toBe(1);
      expect(stdout).toMatch(/^ 6\/14 .*before its checkout\n$/m);
      expect(stderr).toMatch(
        /^error: Timed out after 1 s waiting for customer\.subscription\.created to be processed: the event is stored, but no worker processes it\. .*findersfee worker.*\n$/,
      );

      const elsewhere = { ...environment, DATABASE_URL: other.url, FINDERSFEE_URL: url };
      const { code: code_elsewhere, stderr: stderr_elsewhere } = await findersfee("demo", elsewhere);
      expect(code_elsewhere).toBe(1);
      expect(stderr_elsewhere).toMatch(/^error: The service uses another database/);
    } finally {
      await other.close();
    }
  });

  it.runIf(FULL_TESTS)("explains which endpoint URLs a service must allow", async () => {
    const url = await serve("api", { WEBHOOK_ALLOW_HTTP: "false", WEBHOOK_ALLOW_PRIVATE: "false" });
    const { code, stderr } = await demo(url);
    expect(code).toBe(1);
    expect(stderr).toMatch(/^error: The service does not allow webhook endpoints .*WEBHOOK_ALLOW_HTTP=true/);
  });

  it("requires the address if the service picks a free port", async () => {
    const { code, stdout, stderr } = await findersfee("demo", environment);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toMatch(/^error: --base-url: Required with PORT=0\./);
  });

  it("reports a missing service without creating anything", async () => {
    const before = await test.database`select from organizations`;
    const { code, stdout, stderr } = await demo(`http://127.0.0.1:${await freePort()}`);
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toMatch(/^error: No service responds at http:\S+: start one with `findersfee start`/);
    expect(await test.database`select from organizations`).toHaveLength(before.length);
  });
});
