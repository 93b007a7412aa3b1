import { eventually } from "@findersfee/database/testing/eventually";
import { awaitWaiting, holdTransaction } from "@findersfee/database/testing/held-transaction";
import { STRIPE_SECRET, stripeEvent, stripeHeaders } from "@findersfee/domain/testing/processors/signed";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { ApiConfig } from "../../src/config.ts";
import { LIMITS, type Limits } from "../../src/limits.ts";
import type { RawConnection } from "../raw-connection.ts";
import { responseError } from "../response-error.ts";
import { sendSlowBodies, sendSlowBody } from "../slow-body.ts";
import { makeStaff, type Staff } from "../staff.ts";
import { startTestService, type TestService } from "../test-service.ts";
import { click, createTrackedProgram } from "../tracking-program.ts";

/** Longer than any test: no test may depend on slow bodies timing out. */
const PATIENT: Limits = { ...LIMITS, body_milliseconds: 120_000 };

let service: TestService;
let slow: RawConnection[];

async function start(config: Partial<ApiConfig> = {}, limits: Limits = PATIENT): Promise<void> {
  service = await startTestService({ trust_proxy: 1, ...config }, limits);
}

beforeEach(() => {
  slow = [];
});

afterEach(async () => {
  for (const connection of slow) connection.close();
  await service.close();
});

async function connectedOrganization(): Promise<Staff> {
  const organization = await makeStaff(service);
  await organization.staff.processors.connect.mutate({
    name: "stripe",
    signing_secret: STRIPE_SECRET,
    livemode: true,
  });
  return organization;
}

function pathOf({ organization_id }: Staff): string {
  return `/processors/stripe/${organization_id}`;
}

async function post(organization: Staff, id: string, address = "198.51.100.1") {
  const body = stripeEvent(id, "invoice.paid", {});
  const response = await fetch(service.url + pathOf(organization), {
    method: "POST",
    headers: { ...stripeHeaders(body), "x-forwarded-for": address },
    body,
  });
  return { status: response.status, headers: response.headers, body: await response.json() };
}

/** The bodies have arrived when the oldest ones are rejected to make room. */
async function expectRefused(connections: readonly RawConnection[]): Promise<void> {
  for (const connection of connections) expect((await connection.answer())?.status).toBe(429);
}

describe("slow unsigned bodies", () => {
  it("from one address do not block the intake", async () => {
    await start();
    const [organization, other] = [await connectedOrganization(), await connectedOrganization()];
    const from = { "x-forwarded-for": "203.0.113.7" };
    slow = await sendSlowBodies(300, service.url, pathOf(organization), from);
    await expectRefused(slow.slice(0, 200));
    expect((await post(organization, "evt_1")).status).toBe(200);
    expect((await post(other, "evt_1")).status).toBe(200);
    // Not even from the same address.
    expect((await post(organization, "evt_2", "203.0.113.7")).status).toBe(200);
  });

  it("from many addresses do not block the intake", async () => {
    await start();
    const organization = await connectedOrganization();
    for (let address = 0; address < 30; address++) {
      const from = { "x-forwarded-for": `203.0.113.${address}` };
      slow.push(...(await sendSlowBodies(10, service.url, pathOf(organization), from)));
    }
    await expectRefused(slow.slice(0, 1));
    expect((await post(organization, "evt_1")).status).toBe(200);
  });

  it("are rejected, oldest first, beyond 20 per address", async () => {
    await start();
    const organization = await connectedOrganization();
    const first = await sendSlowBody(service.url, pathOf(organization), { "x-forwarded-for": "203.0.113.7" });
    const elsewhere = await sendSlowBody(service.url, pathOf(organization), {
      "x-forwarded-for": "203.0.113.8",
    });
    slow = await sendSlowBodies(20, service.url, pathOf(organization), { "x-forwarded-for": "203.0.113.7" });
    slow.push(first, elsewhere);
    const answer = await Promise.race([first, ...slow.slice(0, 20)].map((connection) => connection.answer()));
    if (answer === null) throw new Error("the connection ended without a response");
    expect(responseError("rest", answer)).toMatchObject({
      code: "rate_limited",
      message: expect.stringMatching(/unfinished/),
    });
    expect(elsewhere.socket.readableEnded).toBe(false);
  });

  it("get an error after the deadline, and their connections close", async () => {
    await start({}, { ...LIMITS, body_milliseconds: 300 });
    const organization = await connectedOrganization();
    const connection = await sendSlowBody(service.url, pathOf(organization));
    const drip = setInterval(() => connection.write(" "), 50);
    const answer = await connection.answer();
    if (answer === null) throw new Error("the connection ended without a response");
    const { code, message } = responseError("rest", answer);
    expect([code, message]).toEqual(["invalid_request", "The body did not arrive in time."]);
    await connection.ended;
    clearInterval(drip);
  });

  it("do not block tracking", async () => {
    await start({}, { ...PATIENT, in_flight: 50 });
    const program = await createTrackedProgram(service);
    slow = await sendSlowBodies(100, service.url, "/track/click", { "x-forwarded-for": "203.0.113.7" });
    expect((await click(program)).status).toBe(200);
  });
});

describe("complete messages waiting for the database", () => {
  const TOTAL = 8;

  async function occupy(messages: Promise<{ status: number }>[], refused: () => Promise<{ status: number }>) {
    await awaitWaiting(service.database);
    await eventually(async () => expect((await refused()).status).toBe(429));
    return messages;
  }

  it("hold at most half of the slots per organization and per address", async () => {
    await start({}, { ...PATIENT, in_flight: TOTAL });
    const [organization, other, third] = [
      await connectedOrganization(),
      await connectedOrganization(),
      await connectedOrganization(),
    ];
    for (const each of [organization, other, third]) expect((await post(each, "evt_0")).status).toBe(200);
    const held = await holdTransaction(service.database);
    await held.sql`lock table processor_messages`;
    const addresses = ["203.0.113.1", "203.0.113.2", "203.0.113.3", "203.0.113.4"];
    const waiting = addresses.map((address) => post(organization, `evt_${address}`, address));
    await occupy(waiting, () => post(organization, "evt_5", "203.0.113.5"));
    const more = [post(other, "evt_1", "203.0.113.6"), post(third, "evt_1", "203.0.113.7")];
    await held.rollBack();
    // Stored, or timed out on a slow machine, but never rejected for a limit.
    for (const { status } of await Promise.all([...waiting, ...more])) expect([200, 503]).toContain(status);
  });
});
