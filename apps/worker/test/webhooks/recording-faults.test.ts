import { createTestDatabase, type TestDatabase } from "@findersfee/database/testing";
import { eventually } from "@findersfee/database/testing/eventually";
import { casesOf } from "@findersfee/database/testing/full-tests";
import { afterEach, beforeEach, expect, it } from "vitest";
import { Receiver } from "../receiver.ts";
import { makeEvents, makeOrganization, subscribe } from "../subscriptions.ts";
import { startTestWorker } from "../test-worker.ts";

const EVENTS = 20;
const FAULTS = 6;

let test: TestDatabase;
let organization_id: string;
const closed: (() => Promise<void>)[] = [];

beforeEach(async () => {
  test = await createTestDatabase();
  organization_id = await makeOrganization(test.database);
});

afterEach(async () => {
  for (const close of closed.splice(0).reverse()) await close();
  await test.close();
});

/** Each of the next statements that write attempts fails with this SQLSTATE; the sequence counts them all. */
async function failAttempts(state: string): Promise<void> {
  await test.database.unsafe(`
    create sequence writes;
    create function fail() returns trigger language plpgsql as $$ begin
      if nextval('writes') <= ${FAULTS} then
        raise exception using errcode = '${state}', message = 'injected';
      end if;
      return null;
    end $$;
    create trigger fail before insert on attempts for each statement execute function fail();`);
}

const FAILURES = [
  ["statement timeout", "57014"],
  ["disk full", "53100"],
  ["deadlock", "40P01"],
  ["serialization failure", "40001"],
  ["lock timeout", "55P03"],
  ["out of memory", "53200"],
  ["I/O error", "58030"],
] as const;

it.each(casesOf(FAILURES, { short: 2 }))(
  "records each response after recording fails with %s (%s)",
  async (_name, state) => {
    await failAttempts(state);
    const receiver = await Receiver.start();
    receiver.answer = (_, response) => response.writeHead(200).end("received");
    closed.push(() => receiver.close());
    const worker = await startTestWorker(test);
    closed.push(() => worker.stop());
    await subscribe(test.database, organization_id, receiver.url());
    await makeEvents(test.database, organization_id, EVENTS);
    await eventually(async () =>
      expect(await test.database`select from deliveries where state = 'delivered'`).toHaveLength(EVENTS),
    );
    const attempts = await test.database`select number, status, response from attempts`;
    expect(attempts).toHaveLength(EVENTS);
    for (const { number, status, response } of attempts) {
      expect({ number, status }).toEqual({ number: 1, status: 200 });
      expect(response).toContain("received");
    }
    expect(receiver.received).toHaveLength(EVENTS);
  },
);
