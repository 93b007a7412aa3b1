import { waitForResult } from "@findersfee/database/testing/eventually";
import { FULL_TESTS, seedOf } from "@findersfee/database/testing/full-tests";
import { connectProcessor } from "@findersfee/domain/processors/connections/connect";
import { createEndpoint } from "@findersfee/domain/webhooks/endpoints/create";
import { Receiver } from "@findersfee/worker/testing/receiver";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type History, makeHistory, rarities } from "./any-order/history.ts";
import { eventMismatches, outcomeOf, sumsOf } from "./any-order/outcome.ts";
import { payOut } from "./any-order/pay-out.ts";
import { exclude, makeProgram, type Program } from "./any-order/program.ts";
import { Random } from "./any-order/random.ts";
import { anyOrder, bodiesOf, reportConcurrently, reportInOrder } from "./any-order/reporting.ts";
import { Service } from "./any-order/service.ts";

/*
 * Reports the same history to several organizations, each in a different order, while workers and the api are
 * killed: all must reach the same outcome. ANY_ORDER_SEED repeats a history, with the same number of
 * customers; the other variables make it longer: ANY_ORDER_HISTORIES=10 ANY_ORDER_CUSTOMERS=60
 * ANY_ORDER_ORDERS=4 ANY_ORDER_KILLS=8 takes about five minutes.
 */
const SEED = seedOf("ANY_ORDER_SEED");
const HISTORIES = Number(process.env.ANY_ORDER_HISTORIES ?? 1);
/** The whole service runs in the full form, and for a history that a variable names. */
const RUNS_SERVICE = FULL_TESTS || Object.keys(process.env).some((name) => name.startsWith("ANY_ORDER_"));
const CUSTOMERS = Number(process.env.ANY_ORDER_CUSTOMERS ?? 8);
const ORDERS = Number(process.env.ANY_ORDER_ORDERS ?? 2);
const KILLS = Number(process.env.ANY_ORDER_KILLS ?? 3);
/** A few customers may all have come by themselves. */
const SURE_COMMISSIONS = CUSTOMERS < 20 ? 0 : 1;
/** Comma-separated; all by default. */
const RARITIES = process.env.ANY_ORDER_RARITIES?.split(",") ?? rarities;
const rarities_in_use = rarities.filter((rarity) => RARITIES.includes(rarity));
const WORKED_OFF_MILLISECONDS = 60_000 + CUSTOMERS * 1_000;

let service: Service;
let receiver: Receiver;

async function makeConnected(): Promise<Program> {
  const { secrets_key } = service;
  const program = await makeProgram(service.test.database, {
    knows_codes: !rarities_in_use.includes("late_codes"),
  });
  const { context, organization_id, secret: signing_secret } = program;
  await connectProcessor(context, secrets_key, {
    name: "stripe",
    signing_secret,
    api_key: null,
    livemode: true,
  });
  const policy = { secrets_key, allow_http: true, allow_private: true };
  const url = receiver.url(`/${organization_id}`);
  await createEndpoint(context, policy, { url, event_types: null, description: "" });
  return program;
}

/**
 * Kills and restarts processes during the reports. With several kills, the second is the api's; a single kill
 * is the last one's.
 */
async function killAlong(progress: () => number): Promise<void> {
  for (let kill = 0; kill < KILLS; kill++) {
    const due = (kill + 1) / (KILLS + 1);
    await waitForResult(WORKED_OFF_MILLISECONDS, async () => (progress() >= due ? true : null));
    if (kill === Math.min(1, KILLS - 1)) await service.killApi();
    else await service.killWorker();
  }
}

/** Pays out once this share of an organization's events has been processed. */
async function payOutAlong(program: Program, { events }: History): Promise<void> {
  for (const due of [0.3, 0.5, 0.8]) {
    await waitForResult(WORKED_OFF_MILLISECONDS, async () => {
      const [row] = await service.test.database<[{ count: number }]>`
        select count(*)::int as count from processor_messages
        where organization_id = ${program.organization_id} and state <> 'received'`;
      return row.count >= due * events.length ? true : null;
    });
    await payOut(program);
  }
}

async function unfinished({ organization_id }: Program): Promise<number> {
  const { database } = service.test;
  const [row] = await database<[{ count: number }]>`
    select (select count(*) from processor_messages
        where organization_id = ${organization_id} and state = 'received')::int
      + (select count(*) from deliveries
        where organization_id = ${organization_id} and state <> 'delivered')::int as count`;
  return row.count;
}

/** Every event was parsed at the first attempt. */
async function expectWorkedOff({ organization_id }: Program): Promise<void> {
  const failed = await service.test.database`
    select id, type, state, failures, reason from processor_messages
    where organization_id = ${organization_id} and (state not in ('done', 'skipped') or failures > 0)`;
  expect([...failed]).toEqual([]);
}

/** The receiver got every event since its subscription, and none of another organization. */
async function expectDelivered({ organization_id }: Program): Promise<void> {
  const events = await service.test.database`
    select id from events where organization_id = ${organization_id} and type <> 'affiliate.created'`;
  const received = new Set(receiver.ids(`/${organization_id}`));
  expect(received).toEqual(new Set(events.map(({ id }) => id)));
}

/**
 * Reports to all organizations at once. The first gets the events in order; the last one's commissions are
 * partly paid out.
 */
async function reportAll(programs: Program[], seed: number): Promise<History> {
  const random = new Random(seed + 1);
  const today = Math.floor(Date.now() / 1000);
  const history = makeHistory({ seed, customers: CUSTOMERS, today, rarities_in_use });
  const bodies = await Promise.all(programs.map((program) => bodiesOf(service, program, history)));
  await Promise.all(programs.map(exclude));
  const orders = bodies.map((bodies_in_order, number) =>
    number === 0 ? bodies_in_order : anyOrder(bodies_in_order, random),
  );
  const all = orders.reduce((sum, { length }) => sum + length, 0);
  let reported = 0;
  const reports = programs.map(async (program, number) => {
    const report = number === 0 ? reportInOrder : reportConcurrently;
    const count = () => {
      reported += 1;
    };
    await report({ service, program, reported: count }, orders[number] ?? []);
  });
  const paying = programs.slice(-1).map((program) => payOutAlong(program, history));
  await Promise.all([...reports, killAlong(() => reported / all), ...paying]);
  return history;
}

it("makes the same history for the same seed, and reports all of it in any order", () => {
  const today = Math.floor(Date.now() / 1000);
  const history = () => makeHistory({ seed: SEED, customers: CUSTOMERS, today, rarities_in_use });
  const { events } = history();
  expect(history().events).toEqual(events);
  const bodies = events.map((event) => JSON.stringify(event));
  const shuffled = anyOrder(bodies, new Random(SEED));
  expect(shuffled).not.toEqual(bodies);
  expect(new Set(shuffled)).toEqual(new Set(bodies));
});

describe.runIf(RUNS_SERVICE)("a service", () => {
  beforeAll(async () => {
    [service, receiver] = await Promise.all([Service.start(), Receiver.start()]);
  });

  afterAll(async () => {
    await service.end();
    await receiver.close();
  });

  describe.each(Array.from({ length: HISTORIES }, (_, number) => SEED + number))("history %i", (seed) => {
    const programs: Program[] = [];
    let history: History;

    it("reports to organizations in any order, with duplicates and crashes", {
      timeout: 300_000 + (ORDERS + 2) * CUSTOMERS * 2_000 + KILLS * 10_000,
    }, async () => {
      for (let number = 0; number < ORDERS + 2; number++) programs.push(await makeConnected());
      history = await reportAll(programs, seed);
      for (const program of programs) {
        await waitForResult(WORKED_OFF_MILLISECONDS, async () =>
          (await unfinished(program)) === 0 ? true : null,
        );
        await expectWorkedOff(program);
        await expectDelivered(program);
        expect(await eventMismatches(program)).toEqual([]);
      }
    });

    it("reaches the same outcome in any order", async () => {
      const [straight, ...others] = programs;
      if (straight === undefined) throw new Error("no organization was reported to");
      const { decisions, ...expected } = await outcomeOf(straight);
      // Otherwise nothing was compared.
      expect(decisions.length).toBeGreaterThan(0);
      expect(expected.commissions.length).toBeGreaterThanOrEqual(SURE_COMMISSIONS);
      for (const program of others.slice(0, -1)) {
        expect(await outcomeOf(program)).toEqual({ decisions, ...expected });
      }
      const gone = decisions.filter(({ reversed_minor }) => reversed_minor !== "0");
      expect(new Map(gone.map(({ payment, reversed_minor }) => [payment, Number(reversed_minor)]))).toEqual(
        new Map([...history.reversed].filter(([, amount]) => amount !== 0)),
      );
    });

    it("reaches the same sums after an earlier payout", async () => {
      const [straight, paid] = [programs.at(0), programs.at(-1)];
      if (straight === undefined || paid === undefined) throw new Error("no organization was reported to");
      const { decisions, referrals, balances } = await outcomeOf(straight);
      expect(await outcomeOf(paid)).toMatchObject({ decisions, referrals, balances });
      expect(await sumsOf(paid)).toEqual(await sumsOf(straight));
      const [row] = await service.test.database<[{ paid: number }]>`
      select count(*)::int as paid from commission_states
      where organization_id = ${paid.organization_id} and payout_status = 'paid'`;
      expect(row.paid).toBeGreaterThanOrEqual(SURE_COMMISSIONS);
    });
  });
});
