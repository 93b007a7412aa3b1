import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Database } from "@findersfee/database/postgres/connect";
import { eventually } from "@findersfee/database/testing/eventually";
import { OwnPostgres, openPool } from "@findersfee/database/testing/own-postgres";
import { Receiver } from "@findersfee/worker/testing/receiver";
import { SECRETS_KEY, subscribe } from "@findersfee/worker/testing/subscriptions";
import { afterAll, beforeAll, expect, it } from "vitest";
import { CommandLine, type Environment, findersfee, serviceEnvironment } from "./command-line.ts";
import { CAMPAIGN, post } from "./webhooks/posting.ts";

let postgres: OwnPostgres;
let database: Database;
let receiver: Receiver;
let folder: string;
let environment: Environment;
let api: CommandLine;
let worker: CommandLine;
let url: string;
let metrics_url: string;
let api_key: string;
let organization_id: string;
let campaign_id: string;

beforeAll(async () => {
  postgres = await OwnPostgres.start();
  database = openPool(postgres.url, 2);
  receiver = await Receiver.start();
  folder = await mkdtemp(join(tmpdir(), "findersfee-continuity-"));
  environment = serviceEnvironment(postgres.url, {
    SECRETS_KEY: SECRETS_KEY.toString("base64"),
    CONTINUITY_DIR: folder,
    WORKER_LEASE_SECONDS: "3",
    METRICS_PORT: "0",
  });
  await findersfee("migrate", environment);
  ({ organization_id, api_key } = JSON.parse(
    (await findersfee("org create --name Acme --json", environment)).stdout,
  ));
  await subscribe(database, organization_id, receiver.url());
  await startProcesses();
  campaign_id = (await post({ url, api_key }, "/campaigns", CAMPAIGN)).id;
});

afterAll(async () => {
  await Promise.all([api, worker].map((child) => child.end("SIGTERM")));
  await receiver.close();
  await database.end({ timeout: 5 });
  await postgres.remove();
  await rm(folder, { recursive: true });
});

async function startProcesses(): Promise<void> {
  api = new CommandLine(["api"], environment);
  worker = new CommandLine(["worker"], environment);
  url = await api.says(/served at (http:\S+)\/v1/);
  metrics_url = await worker.says(/metrics at (http:\S+\/metrics)/);
  await worker.says(/The worker is running/);
}

const WAITING = /Waiting until `findersfee verify continuity --accept`/;

let people = 0;

async function ask(path: string, body?: object): Promise<{ status: number; text: string }> {
  const response = await fetch(`${url}${path}`, {
    method: body === undefined ? "GET" : "POST",
    headers: { authorization: `Bearer ${api_key}`, "content-type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: response.status, text: await response.text() };
}

async function createAffiliate(): Promise<number> {
  people += 1;
  const person = { email: `a${people}@example.com`, first_name: "Ann", campaign_id };
  return (await ask("/v1/affiliates", person)).status;
}

async function eventIds(): Promise<string[]> {
  return await eventually(async () =>
    (await database`select id from events order by id`).map(({ id }) => id),
  );
}

async function delivered(ids: readonly string[]): Promise<void> {
  await eventually(() => expect(receiver.ids().sort()).toEqual(expect.arrayContaining([...ids])));
}

it("stops writes and deliveries under an older copy, lists what was lost, and goes on when that is accepted", async () => {
  expect(await createAffiliate()).toBe(200);
  const kept = await eventIds();
  await delivered(kept);
  await postgres.end("SIGINT");
  await postgres.copyData();
  await postgres.startAgain();
  await eventually(async () => expect(await createAffiliate()).toBe(200));
  for (let each = 0; each < 5; each++) expect(await createAffiliate()).toBe(200);
  const all = await eventIds();
  await delivered(all);
  await eventually(async () =>
    expect(await database`select from deliveries where state <> 'delivered'`).toHaveLength(0),
  );
  const lost = all.filter((id) => !kept.includes(id));
  await postgres.end("SIGQUIT");
  await postgres.putCopyBack();
  await postgres.startAgain();
  // Of the older state: another process writes, which the stopped worker must not deliver.
  expect(await eventIds()).toEqual(kept);
  const received = receiver.received.length;
  expect(await createAffiliate()).toBe(503);
  await eventually(async () => {
    const ready = await ask("/readyz");
    expect(ready.status).toBe(503);
    expect(JSON.parse(ready.text).error.message).toMatch(/went back from position|do not exist/);
  });
  expect((await ask("/v1/affiliates")).status).toBe(200);
  expect(await createAffiliate()).toBe(503);
  await eventually(async () => {
    expect(await (await fetch(metrics_url)).text()).toContain("findersfee_database_stepped_back 1");
  });
  await eventually(() =>
    expect(worker.stdout.includes("the database went back to an older state")).toBe(true),
  );
  expect(await eventIds()).toEqual(kept);

  const verified = await findersfee("verify continuity --json", environment);
  const listed = verified.stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect({ code: verified.code, stderr: verified.stderr }).toEqual({ code: 1, stderr: "" });
  expect(listed.map(({ event_id }) => event_id).sort()).toEqual(lost);
  expect(listed.every((event) => event.organization_id === organization_id)).toBe(true);

  // Processes end as ever, and those that start now wait.
  const ended = await Promise.all([api, worker].map((child) => child.end("SIGTERM")));
  expect(ended.map(({ code, stderr }) => ({ code, stderr }))).toEqual(Array(2).fill({ code: 0, stderr: "" }));
  for (const role of ["api", "worker"]) {
    const waiting = new CommandLine([role], environment);
    await waiting.says(WAITING);
    expect(await waiting.end("SIGTERM")).toMatchObject({ code: 0, stderr: "" });
  }
  api = new CommandLine(["api"], environment);
  worker = new CommandLine(["worker"], environment);
  await Promise.all([api, worker].map((child) => child.says(WAITING)));
  expect(receiver.received).toHaveLength(received);

  const accepted = await findersfee("verify continuity --accept", environment);
  expect(accepted).toMatchObject({ code: 0, stderr: "" });
  expect(accepted.stdout).toContain(`${lost.length} delivered events do not exist.`);
  url = await api.says(/served at (http:\S+)\/v1/);
  await worker.says(/The worker is running/);
  expect((await ask("/readyz")).status).toBe(200);
  expect(await createAffiliate()).toBe(200);
  const new_ids = (await eventIds()).filter((id) => !kept.includes(id));
  expect(new_ids).toHaveLength(1);
  await delivered(new_ids);
  const again = await findersfee("verify continuity", environment);
  expect(again).toMatchObject({ code: 0, stderr: "" });
  expect(again.stdout).toContain(`with ${lost.length} lost events`);
});
