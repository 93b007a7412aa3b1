/* The cards of Stripe's charges: read from each report, and stored as keyed hashes where a campaign asks for them. */
import { NO_SIGNALS } from "@findersfee/contract/campaigns/signals";
import { insertMessages } from "@findersfee/database/processors/messages";
import { createTestDatabase, type TestDatabase } from "@findersfee/database/testing";
import { type ApiVersion, api_versions } from "@findersfee/samples/stripe/api-version";
import { sampleCharge } from "@findersfee/samples/stripe/charge";
import { stripeEvent } from "@findersfee/samples/stripe/event";
import { samplePaymentIntent } from "@findersfee/samples/stripe/payment-intent";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parseStripeMessage } from "../../src/processors/stripe/parse.ts";
import { factsOf } from "../processors/parsed.ts";
import { makeContext } from "../subscriber.ts";
import { processWebhooks } from "../work.ts";
import { addPartner } from "./program.ts";

const FINGERPRINT = "mToisGZ01V71BCos";
const CREATED = Math.floor(Date.UTC(2026, 0, 2) / 1000);

let test: TestDatabase;

beforeAll(async () => {
  test = await createTestDatabase();
});

afterAll(() => test.close());

const chargeOf = (
  api_version: ApiVersion,
  fields: { invoice?: string; payment_method_details?: object } = {},
) => {
  const { payment_method_details, invoice = null } = fields;
  const sample = {
    id: "ch_1",
    created: CREATED,
    amount: 10_000,
    customer: "cus_1",
    payment_intent: "pi_1",
    invoice,
  };
  return { ...sampleCharge(api_version, sample), ...(payment_method_details && { payment_method_details }) };
};

const eventOf = (api_version: ApiVersion, type: string, object: object) =>
  stripeEvent({ type, object: object as never, api_version, created: CREATED, livemode: true });

const cardsOf = (event: unknown) =>
  factsOf(parseStripeMessage(event)).map((fact) => ("card" in fact ? fact.card : undefined));

describe.each(api_versions)("in %s", (api_version) => {
  it("reads the card of a charge", () => {
    expect(cardsOf(eventOf(api_version, "charge.succeeded", chargeOf(api_version)))).toEqual([FINGERPRINT]);
  });

  it("reads the card of an expanded charge of a payment intent", () => {
    const sample = { id: "pi_1", created: CREATED, amount: 10_000, customer: "cus_1", latest_charge: "ch_1" };
    const intent = samplePaymentIntent(api_version, sample as never);
    const cards = (latest_charge: unknown) =>
      cardsOf(eventOf(api_version, "payment_intent.succeeded", { ...intent, latest_charge }));
    expect(cards(chargeOf(api_version))).toContain(FINGERPRINT);
    expect(cards("ch_1").filter(Boolean)).toEqual([]);
  });

  it.each([
    ["of another kind", { type: "sepa_debit", sepa_debit: { fingerprint: "debit" } }],
    ["without a fingerprint", { type: "card", card: { fingerprint: null } }],
  ])("reads no payment method %s", (_name, payment_method_details) => {
    const charge = chargeOf(api_version, { payment_method_details });
    expect(cardsOf(eventOf(api_version, "charge.succeeded", charge))).toEqual([undefined]);
  });
});

it("reads the card of a charge that names its invoice", () => {
  const version = "2024-11-20.acacia";
  const event = eventOf(version, "charge.succeeded", chargeOf(version, { invoice: "in_1" }));
  expect(factsOf(parseStripeMessage(event))).toMatchObject([{ kind: "link", card: FINGERPRINT }]);
});

it("reads the card of a looked-up charge", () => {
  const [version] = api_versions;
  const charge = chargeOf(version);
  const object = { id: "pi_1", charge, payment_intent: "pi_1", invoice_payments: [] };
  expect(cardsOf(eventOf(version, "lookup.payment", object))).toEqual([FINGERPRINT]);
});

async function storedCards(shared_card: "off" | "flag", fingerprints: string[]): Promise<(string | null)[]> {
  const context = await makeContext(test.database);
  await addPartner(context, { signals: { ...NO_SIGNALS, shared_card } });
  const [version] = api_versions;
  const messages = fingerprints.map((fingerprint, number) => {
    const charge = chargeOf(version, { payment_method_details: { type: "card", card: { fingerprint } } });
    const event = eventOf(version, "charge.succeeded", {
      ...charge,
      id: `ch_${number}`,
      payment_intent: null,
    });
    const at = new Date();
    const times = { occurred_at: at, received_at: at, due_at: at };
    const state = { state: "received" as const, reason: null, account: null, ...times };
    return {
      processor: "stripe" as const,
      id: event.id,
      type: "charge.succeeded",
      body: JSON.stringify(event),
      ...state,
    };
  });
  const { id } = context.organization;
  await insertMessages(test.database, id, { source: "webhook", messages });
  expect(await processWebhooks(test.database, id)).toMatchObject({ done: fingerprints.length });
  const rows = await test.database<{ card: string | null; data: string }[]>`
    select data ->> 'card' as card, data::text from payment_facts where organization_id = ${id} order by subject`;
  for (const { data } of rows)
    for (const fingerprint of fingerprints) expect(data).not.toContain(fingerprint);
  return rows.map(({ card }) => card);
}

it("stores a keyed hash, by organization, and only where a campaign asks for cards", async () => {
  const cards = await storedCards("flag", ["one_card", "other_card", "one_card"]);
  expect(cards).toEqual([expect.stringMatching(/^[\w-]{22}$/), expect.any(String), cards[0]]);
  expect(cards[1]).not.toBe(cards[0]);
  expect(await storedCards("flag", ["one_card"])).not.toContain(cards[0]);
  expect(await storedCards("off", ["one_card"])).toEqual([null]);
});
