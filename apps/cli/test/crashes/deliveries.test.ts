import { randomBytes } from "node:crypto";
import type { Database } from "@findersfee/database/postgres/connect";
import { waitForResult } from "@findersfee/database/testing/eventually";
import { extent } from "@findersfee/database/testing/full-tests";
import { OwnPostgres, openPool } from "@findersfee/database/testing/own-postgres";
import { Receiver } from "@findersfee/worker/testing/receiver";
import { afterAll, beforeAll, expect, it } from "vitest";
import { CommandLine, type Environment, findersfee, serviceEnvironment } from "../command-line.ts";
import { CAMPAIGN } from "../webhooks/posting.ts";

/*
 * Kills each part of the service while it creates and delivers events. CRASH_EVENTS and CRASH_KILLS make it
 * longer; docs/contributing/testing.md has the command.
 */
const EVENTS = extent("CRASH_EVENTS", { short: 60, full: 500 });
const KILLS = extent("CRASH_KILLS", { short: 1, full: 3 });
const LEASE_SECONDS = KILLS > 3 ? 30 : 3;
const RESUMES_MILLISECONDS = 60_000;

/** The maximum number of requests in flight to the receiver: one endpoint's slots. */
const MAX_UNSEEN = 32;

type Victim = "worker" | "postgres" | "api";

let postgres: OwnPostgres;
let database: Database;
let receiver: Receiver;
let environment: Environment;
let api: { process: CommandLine; url: string };
const workers: CommandLine[] = [];

beforeAll(async () => {
  postgres = await OwnPostgres.start();
  database = openPool(postgres.url, 2);
  receiver = await Receiver.start();
  environment = serviceEnvironment(postgres.url, {
    WORKER_LEASE_SECONDS: String(LEASE_SECONDS),
    RATE_LIMIT_PER_MINUTE: "0",
    LOG_LEVEL: "fatal",
  });
  expect((await findersfee("migrate", environment)).stderr).toBe("");
  api = await startApi();
  workers.push(...(await Promise.all([startWorker(), startWorker()])));
});

afterAll(async () => {
  await Promise.all([...workers, api.process].map((child) => child.end("SIGTERM")));
  await receiver.close();
  await database.end({ timeout: 5 });
  await postgres.remove();
});

async function startApi() {
  const process = new CommandLine(["api"], environment);
  return { process, url: await process.says(/served at (http:\S+)\/v1/) };
}

async function startWorker(): Promise<CommandLine> {
  const process = new CommandLine(["worker"], environment);
  await process.says(/The worker is running/);
  return process;
}

/** Retries a request until it is acknowledged; the key makes it count once. */
async function post(path: string, body: object, { api_key }: { api_key: string }): Promise<{ id: string }> {
  const key = randomBytes(12).toString("hex");
  return await waitForResult(RESUMES_MILLISECONDS, async () => {
    const response = await fetch(`${api.url}/v1/${path}`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${api_key}`,
        "content-type": "application/json",
        "idempotency-key": key,
      },
      body: JSON.stringify(body),
    }).catch(() => null);
    if (response === null || response.status >= 500 || response.status === 409) return null;
    const text = await response.text().catch(() => "");
    if (text === "") return null;
    if (response.status !== 200) throw new Error(`${response.status} ${text}`);
    return JSON.parse(text).data;
  });
}

/** Kills a process and restarts it; returns how many requests had no recorded attempt at that time. */
async function kill(victim: Victim): Promise<number> {
  switch (victim) {
    case "worker": {
      const [worker] = workers.splice(0, 1);
      await worker?.end("SIGKILL");
      const in_flight = await unrecorded();
      workers.push(await startWorker());
      return in_flight;
    }
    case "api":
      await api.process.end("SIGKILL");
      api = await startApi();
      return 0;
    case "postgres":
      await postgres.end("SIGKILL");
      await postgres.startAgain();
      return await unrecorded();
  }
}

/** Requests missing in the log: their deliveries may be repeated once. */
async function unrecorded(): Promise<number> {
  return await waitForResult(RESUMES_MILLISECONDS, async () => {
    const came = receiver.received.length;
    const rows = await database<{ count: number }[]>`
      select count(*)::int as count from attempts where duration_milliseconds is not null`.catch(() => null);
    const [row] = rows ?? [];
    return row === undefined ? null : Math.max(0, came - row.count) + MAX_UNSEEN;
  });
}

function victims(): Victim[] {
  const each: Victim[] = ["worker", "postgres", "api"];
  const all = Array.from({ length: KILLS }, (_, number) => each[number % each.length] ?? "worker");
  return all.toSorted(() => Math.random() - 0.5);
}

it("loses no event when processes are killed", {
  timeout: 300_000 + KILLS * 90_000 + EVENTS * 30,
}, async () => {
  const created = await findersfee("org create --name Crash --json", environment);
  const { organization_id, api_key } = JSON.parse(created.stdout);
  const key = { api_key };
  const endpoint = `endpoint create --org ${organization_id} --url ${receiver.url()} --json`;
  expect((await findersfee(endpoint, environment)).code).toBe(0);
  await post("campaigns", CAMPAIGN, key);
  const affiliate = await post("affiliates", { email: "jane@example.com", first_name: "Jane" }, key);
  const referral = await post("referrals", { affiliate_id: affiliate.id, email: "c@example.com" }, key);

  let made = 0;
  let asked = 0;
  const make = async () => {
    while (asked < EVENTS) {
      asked += 1;
      await post("commissions", { referral_id: referral.id, revenue_amount: 10, commission_amount: 1 }, key);
      made += 1;
    }
  };
  let in_flight = 0;
  const wreck = async () => {
    for (const [number, victim] of victims().entries()) {
      const due = Math.floor((EVENTS * (number + 1)) / (KILLS + 1));
      await waitForResult(RESUMES_MILLISECONDS, async () => (made >= due ? true : null));
      in_flight += await kill(victim);
      const before = receiver.received.length;
      await waitForResult(RESUMES_MILLISECONDS, async () => {
        const everything_came = made >= EVENTS && (await undelivered()) === 0;
        return everything_came || receiver.received.length > before ? true : null;
      });
    }
  };
  await Promise.all([wreck(), ...Array.from({ length: 8 }, make)]);
  await waitForResult(RESUMES_MILLISECONDS, async () => ((await undelivered()) === 0 ? true : null));

  const events = await database<{ id: string }[]>`select id from events`;
  expect(events).toHaveLength(EVENTS + 3);
  expect(new Set(receiver.ids())).toEqual(new Set(events.map(({ id }) => id)));
  const duplicates = receiver.received.length - events.length;
  console.log(
    `${events.length} events, ${KILLS} kills, ${in_flight} in flight at them, ${duplicates} duplicates`,
  );
  expect(duplicates).toBeLessThanOrEqual(in_flight);
});

async function undelivered(): Promise<number> {
  const rows = await database<{ count: number }[]>`
    select count(*)::int as count from deliveries where state <> 'delivered'`.catch(() => null);
  return rows?.[0]?.count ?? Number.NaN;
}
