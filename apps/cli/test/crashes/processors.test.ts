import { createTestDatabase, type TestDatabase } from "@findersfee/database/testing";
import { waitForResult } from "@findersfee/database/testing/eventually";
import { FULL_TESTS } from "@findersfee/database/testing/full-tests";
import { migrateQueue } from "@findersfee/database/work/queue";
import { OPERATOR } from "@findersfee/domain/actor";
import { createOrganization } from "@findersfee/domain/organizations/create";
import { connectProcessor } from "@findersfee/domain/processors/connections/connect";
import {
  genericHeaders,
  STRIPE_SECRET,
  stripeEvent,
  stripeHeaders,
} from "@findersfee/domain/testing/processors/signed";
import { afterAll, beforeAll, expect, it } from "vitest";
import { CommandLine, type Environment, serviceEnvironment } from "../command-line.ts";

const MESSAGES = FULL_TESTS ? 400 : 40;
const SENDERS = 10;

let test: TestDatabase;
let environment: Environment;
let organization_id: string;
let signing_secret: string;

beforeAll(async () => {
  test = await createTestDatabase();
  await migrateQueue(test.url);
  environment = serviceEnvironment(test.url, { LOG_LEVEL: "fatal", WORKER_LEASE_SECONDS: "2" });
  const values = { name: "Acme", currency: "USD", subscription_status: "active" } as const;
  ({ organization_id } = await createOrganization(test.database, values));
  const organization = { ...values, id: organization_id };
  const context = {
    database: test.database,
    organization,
    actor: OPERATOR,
    idempotency: null,
    notifyWorkers: () => {},
  };
  const key = Buffer.from(environment.SECRETS_KEY ?? "", "base64");
  const shared = { api_key: null, livemode: true };
  ({ signing_secret } = await connectProcessor(context, key, { ...shared, name: "generic" }));
  await connectProcessor(context, key, { ...shared, name: "stripe", signing_secret: STRIPE_SECRET });
});

afterAll(() => test.close());

function payment(number: number): string {
  return JSON.stringify({
    type: "payment",
    occurred_at: new Date().toISOString(),
    data: {
      payment_id: `pay_${number}`,
      customer_id: `cus_${number % 5}`,
      currency: "USD",
      revenue_amount: 10,
    },
  });
}

it("processes each message once when workers are killed", async () => {
  const api = new CommandLine(["api"], environment);
  const workers = [new CommandLine(["worker"], environment), new CommandLine(["worker"], environment)];
  try {
    const url = await api.says(/served at (http:\S+)\/v1/);
    await Promise.all(workers.map((worker) => worker.says(/The worker is running/)));
    const send = async (name: string, body: string, headers: Record<string, string>) => {
      const address = `${url}/processors/${name}/${organization_id}`;
      const response = await fetch(address, { method: "POST", headers, body });
      expect(response.status).toBe(200);
    };
    const numbers = Array.from({ length: MESSAGES }, (_, number) => number).values();
    const sendAll = async () => {
      for (const number of numbers) {
        const body = payment(number);
        await send("generic", body, genericHeaders(body, { id: `msg_${number}`, secret: signing_secret }));
        if (number === MESSAGES / 2) workers[0]?.child.kill("SIGKILL");
      }
    };
    const odd = stripeEvent("evt_odd", "invoice.paid", { object: "invoice" });
    await send("stripe", odd, stripeHeaders(odd));
    await Promise.all(Array.from({ length: SENDERS }, sendAll));
    await waitForResult(60_000, async () => {
      const rows = await test.database`
        select state, count(*)::int as count from processor_messages
        where organization_id = ${organization_id} group by state order by state`;
      const states = rows.map(({ state, count }) => `${state} ${count}`).join();
      return states === `done ${MESSAGES},parked 1` ? true : null;
    });
    const [decisions] = await test.database`
      select count(*)::int as count, count(distinct payment_id)::int as payments from payment_decisions`;
    expect(decisions).toEqual({ count: MESSAGES, payments: MESSAGES });
  } finally {
    await Promise.all([api, ...workers].map((program) => program.end("SIGTERM")));
  }
});
