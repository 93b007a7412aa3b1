import { type ChildProcess, spawn } from "node:child_process";
import { hostname } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { eventually } from "@findersfee/database/testing/eventually";
import { OwnPostgres, openPool } from "@findersfee/database/testing/own-postgres";
import { createOrganization } from "@findersfee/domain/organizations/create";
import { afterAll, beforeAll, expect, it } from "vitest";

/** A process of its own, because the log is its standard output. */
const PROGRAM = `
  import { connect } from "@findersfee/database/postgres/connect";
  import { startApi } from "./src/server.ts";
  import { QUIET, ENDPOINT_POLICY } from "./test/test-service.ts";
  const database = connect({ url: process.env.TEST_DATABASE_URL, poolSize: 3, prepare: true, name: "findersfee api" });
  const config = { ...QUIET, log_level: "info" };
  const { url } = await startApi(config, database, { endpoint_policy: ENDPOINT_POLICY, version: "1.2.3" });
  process.send(url);`;

interface Line extends Record<string, unknown> {
  level: number;
  msg: string;
}

const TRACE_ID = "4bf92f3577b34da6a3ce929d0e0e4736";
const ERROR = 50;
const WARN = 40;

let postgres: OwnPostgres;
let child: ChildProcess;
let url: string;
let api_key: string;
const lines: Line[] = [];

beforeAll(async () => {
  postgres = await OwnPostgres.start();
  const database = openPool(postgres.url, 1);
  const organization = { name: "Test", currency: "USD", subscription_status: "active" } as const;
  api_key = (await createOrganization(database, organization)).api_key;
  await database.end();
  child = spawn(process.execPath, ["--import", "tsx", "--input-type=module", "--eval", PROGRAM], {
    cwd: join(import.meta.dirname, "../.."),
    env: { ...process.env, TEST_DATABASE_URL: postgres.url, VITEST: "" },
    stdio: ["ignore", "pipe", "inherit", "ipc"],
  });
  if (child.stdout !== null) {
    createInterface(child.stdout).on("line", (line) => lines.push(JSON.parse(line)));
  }
  url = await new Promise<string>((resolve, reject) => {
    child.once("message", (message) => resolve(String(message)));
    child.once("exit", (code) => reject(new Error(`the service exited with ${code}`)));
  });
});

afterAll(async () => {
  child.removeAllListeners("exit");
  child.kill();
  await postgres.remove();
});

async function ask(path: string, headers: Record<string, string> = {}): Promise<number> {
  const response = await fetch(url + path, { headers: { authorization: `Bearer ${api_key}`, ...headers } });
  await response.arrayBuffer();
  return response.status;
}

const saying = (msg: string) => lines.filter((line) => line.msg === msg);

it("names version, host, process and the client's request id, and no probes", async () => {
  for (const probe of ["/healthz", "/readyz", "/metrics"]) expect(await ask(probe)).toBe(200);
  await ask("/v1/campaigns", { "x-request-id": "abc-1", traceparent: `00-${TRACE_ID}-00f067aa0ba902b7-01` });
  await ask("/v1/campaigns", { "x-request-id": "no id, but a sentence", traceparent: "00-1-1-01" });
  const requests = await eventually(() => {
    expect(saying("request")).toHaveLength(2);
    return saying("request");
  });
  const facts = { name: "findersfee-api", version: "1.2.3", host: hostname(), pid: child.pid };
  expect(requests[0]).toMatchObject({
    ...facts,
    route: "/v1/campaigns",
    client_request_id: "abc-1",
    trace_id: TRACE_ID,
  });
  expect(requests[0]?.request_id).toMatch(/^req-/);
  expect(requests[1]).not.toHaveProperty("client_request_id");
  expect(requests[1]).not.toHaveProperty("trace_id");
});

it("logs one line when an outage begins, and one when it ended", async () => {
  await postgres.end("SIGKILL");
  // From some request on, none reaches a statement.
  for (let round = 0; round < 20; round++) expect(await ask("/v1/campaigns")).toBe(503);
  expect(await ask("/readyz")).toBe(503);
  await postgres.startAgain();
  await eventually(async () => {
    expect(await ask("/v1/campaigns")).toBe(200);
    expect(saying("the database is available again")).toHaveLength(1);
  });
  const serious = lines.filter(({ level }) => level >= WARN);
  expect(serious).toHaveLength(1);
  expect(serious[0]).toMatchObject({
    level: ERROR,
    msg: "the database is unavailable; its failures are not logged one by one",
  });
  const [end] = saying("the database is available again");
  expect(end?.failed_statements).toBeGreaterThanOrEqual(1);
});
