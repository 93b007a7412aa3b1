import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  ENDPOINT_POLICY,
  startTestService,
  type TestClient,
  type TestService,
} from "@findersfee/api/testing/test-service";
import { eventually } from "@findersfee/database/testing/eventually";
import { OPERATOR } from "@findersfee/domain/actor";
import { rotateEndpoint } from "@findersfee/domain/webhooks/endpoints/rotate";
import { SECRETS_KEY, subscribe } from "@findersfee/worker/testing/subscriptions";
import { startTestWorker } from "@findersfee/worker/testing/test-worker";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { makeDeliveries, SECRETS } from "./deliveries.ts";
import { RECEIVE_WEBHOOKS, VERIFY_WEBHOOK } from "./programs.ts";
import { Receiving } from "./receiving.ts";
import { type Outcome, RunningProgram } from "./running-program.ts";
import { whyMissing } from "./tool.ts";

let service: TestService;
let worker: { stop(): Promise<void> };
let folder: string;

beforeAll(async () => {
  service = await startTestService();
  const { database, database_url: url, close } = service;
  worker = await startTestWorker({ database, url, close });
  folder = await mkdtemp(join(tmpdir(), "findersfee-examples-"));
});

afterAll(async () => {
  await worker.stop();
  await service.close();
  await rm(folder, { recursive: true });
});

/** Creates an affiliate and approves it: two events. */
async function approveAffiliate({ rest }: TestClient, campaign_id: string): Promise<void> {
  const email = `${Math.random()}@example.com`;
  const created = await rest("POST", "/affiliates", {
    email,
    campaign_id,
    first_name: "Zoë ✓",
    approved: false,
  });
  await rest("PUT", `/affiliates/${created.body.data.id}`, { approved: true });
}

/** All events of the organization in a receiver's output format. */
async function eventsOf({ rest }: TestClient): Promise<string[]> {
  const { body } = await rest("GET", "/events?limit=100");
  return body.data.map(
    (event: { id: string; type: string; data: { id: string } }) =>
      `${event.id} ${event.type} ${event.data.id}`,
  );
}

describe.for(Object.entries(RECEIVE_WEBHOOKS))("webhooks in %s", ([_, program]) => {
  const why = whyMissing(program.tool);
  const command = (port: number) => program.command({ folder, port });
  let receiving: Receiving | null = null;

  beforeAll(async () => {
    if (why === null) receiving = await Receiving.start(command, SECRETS);
  });

  afterAll(async () => receiving?.stop());

  it("are accepted if genuine, and rejected otherwise", async (context) => {
    context.skip(why !== null, why ?? "");
    const { genuine, forged } = makeDeliveries();
    for (const [name, delivery] of Object.entries(genuine)) {
      expect(await receiving?.takes(delivery), name).toBe(true);
    }
    for (const [name, delivery] of Object.entries(forged)) {
      expect(await receiving?.takes(delivery), name).toBe(false);
    }
    expect(await receiving?.answerTo("", {})).toBe(400);
  });

  it("arrive from the worker, including during a rotation", async (context) => {
    context.skip(why !== null, why ?? "");
    const organization = await service.organization();
    const { organization_id, rest } = organization;
    const { body } = await rest("POST", "/campaigns", {
      name: "Partners",
      commission_type: "percentage",
      commission_amount: 30,
      website_url: "https://example.com",
    });
    const address = await Receiving.freeAddress();
    const { endpoint_id, secret } = await subscribe(service.database, organization_id, address.url);
    const subscriber = await Receiving.start(command, [secret], address);
    await approveAffiliate(organization, body.data.id);
    await eventually(() => expect(subscriber.events).toHaveLength(2));
    await rotateEndpoint(
      {
        database: service.database,
        organization: { id: organization_id, currency: "USD", subscription_status: "active" },
        actor: OPERATOR,
        idempotency: null,
        notifyWorkers: () => {},
      },
      { ...ENDPOINT_POLICY, secrets_key: SECRETS_KEY },
      { id: endpoint_id, overlap_seconds: 3600 },
    );
    await approveAffiliate(organization, body.data.id);
    await eventually(() => expect(subscriber.events).toHaveLength(4));
    // The feed shows an event once no older one can appear before it.
    await eventually(async () =>
      expect(subscriber.events.toSorted()).toEqual((await eventsOf(organization)).toSorted()),
    );
    await subscriber.stop();
  });

  it("are rejected without a complete secret", async (context) => {
    context.skip(why !== null, why ?? "");
    for (const secret of ["", "whsec_", "whsec_not+whole"]) {
      const open = await Receiving.start(command, [secret]);
      if (!open.hasEnded) expect(await open.answerTo("", {})).not.toBe(204);
      await open.stop();
    }
  });
});

describe("a single delivery, checked in a shell", () => {
  const why = whyMissing(VERIFY_WEBHOOK.tool);

  async function verify(file: string, ...headers: string[]): Promise<Outcome> {
    const command = [...(await VERIFY_WEBHOOK.command({ folder })), file, ...headers];
    return await new RunningProgram(command, { WEBHOOK_SECRET: SECRETS.join(" ") }).outcome();
  }

  it("is verified", async (context) => {
    context.skip(why !== null, why ?? "");
    const { genuine, forged } = makeDeliveries();
    const file = join(folder, "body.json");
    for (const [name, { id, timestamp, signature, body }] of Object.entries({ ...genuine, ...forged })) {
      await writeFile(file, body);
      const { code, stdout } = await verify(file, id, timestamp, signature);
      const is_genuine = name in genuine;
      expect([code, stdout], name).toEqual(is_genuine ? [0, `${id} is genuine\n`] : [1, ""]);
    }
  });
});
