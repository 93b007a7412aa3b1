/* A database, or a pooler in front of it, that takes statements and holds them. */
import { type ChildProcess, spawn } from "node:child_process";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { eventually } from "@findersfee/database/testing/eventually";
import { FaultyPostgres } from "@findersfee/database/testing/faults/faulty-postgres";
import { OwnPostgres, openPool } from "@findersfee/database/testing/own-postgres";
import { createOrganization } from "@findersfee/domain/organizations/create";
import { afterAll, beforeAll, expect, it } from "vitest";
import { CAMPAIGN } from "../program.ts";

/** Those of 1.5 seconds: a process that pauses for one must not find them taken at once. */
const PER_KEY = 60;
const REQUESTS = 200;

/** A process of its own, because the log is its standard output. */
const PROGRAM = `
  import { connect } from "@findersfee/database/postgres/connect";
  import { startApi } from "./src/server.ts";
  import { QUIET, ENDPOINT_POLICY } from "./test/test-service.ts";
  const database = connect({ url: process.env.TEST_DATABASE_URL, poolSize: 3, prepare: true, name: "findersfee api" });
  const concurrent_requests = { per_key: ${PER_KEY}, per_organization: ${PER_KEY}, per_address: 0 };
  const config = { ...QUIET, log_level: "info", concurrent_requests };
  const { url } = await startApi(config, database, { endpoint_policy: ENDPOINT_POLICY });
  process.send(url);`;

let postgres: OwnPostgres;
let proxy: FaultyPostgres;
let child: ChildProcess;
let url: string;
let api_key: string;
const lines: { level: number; msg?: string; err?: { code?: string } }[] = [];

beforeAll(async () => {
  postgres = await OwnPostgres.start();
  proxy = await FaultyPostgres.before(postgres.url);
  const database = openPool(postgres.url, 1);
  const organization = { name: "Test", currency: "USD", subscription_status: "active" } as const;
  api_key = (await createOrganization(database, organization)).api_key;
  await database.end();
  child = spawn(process.execPath, ["--import", "tsx", "--input-type=module", "--eval", PROGRAM], {
    cwd: join(import.meta.dirname, "../.."),
    env: { ...process.env, TEST_DATABASE_URL: proxy.url, VITEST: "" },
    stdio: ["ignore", "pipe", "inherit", "ipc"],
  });
  if (child.stdout !== null) createInterface(child.stdout).on("line", (line) => lines.push(JSON.parse(line)));
  url = await new Promise<string>((resolve, reject) => {
    child.once("message", (message) => resolve(String(message)));
    child.once("exit", (code) => reject(new Error(`the service exited with ${code}`)));
  });
});

afterAll(async () => {
  child.removeAllListeners("exit");
  child.kill();
  proxy.lift();
  await proxy.close();
  await postgres.remove();
});

interface Answer {
  status: number;
  code: string | undefined;
  retry_after: string | null;
  milliseconds: number;
}

async function ask(path: string, body?: object): Promise<Answer> {
  const started = performance.now();
  const response = await fetch(url + path, {
    headers: { authorization: `Bearer ${api_key}`, "content-type": "application/json" },
    ...(body === undefined ? {} : { method: "POST", body: JSON.stringify(body) }),
  });
  const { error } = (await response.json()) as { error?: { code: string } };
  const milliseconds = performance.now() - started;
  return {
    status: response.status,
    code: error?.code,
    retry_after: response.headers.get("retry-after"),
    milliseconds,
  };
}

it("answers 503 with Retry-After before a key's slots fill, once to each request, and recovers", async () => {
  expect((await ask("/v1/campaigns")).status).toBe(200);
  proxy.follow(() => "hang_before");
  const asked: Promise<Answer>[] = [];
  await eventually(
    () => {
      const is_write = asked.length % 2 === 0;
      const name = `Held ${asked.length}`;
      asked.push(is_write ? ask("/v1/campaigns", { ...CAMPAIGN, name }) : ask("/v1/campaigns"));
      expect(asked).toHaveLength(REQUESTS);
    },
    { interval: 25 },
  );
  const answers = await Promise.all(asked);
  expect(new Set(answers.map(({ status, code }) => `${status} ${code}`))).toEqual(
    new Set(["503 unavailable"]),
  );
  expect(answers.every(({ retry_after }) => retry_after === "2")).toBe(true);
  expect(Math.max(...answers.map(({ milliseconds }) => milliseconds))).toBeLessThan(10_000);
  expect(Math.max(...answers.slice(-20).map(({ milliseconds }) => milliseconds))).toBeLessThan(4_000);
  proxy.lift();
  await eventually(async () => {
    expect((await ask("/v1/campaigns")).status).toBe(200);
    expect(lines.some(({ msg }) => msg === "the database is available again")).toBe(true);
  });
  const mistakes = lines.filter(
    ({ msg = "", err }) => /sent/.test(msg) || err?.code === "FST_ERR_REP_ALREADY_SENT",
  );
  expect(mistakes).toEqual([]);
});
