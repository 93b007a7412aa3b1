import { FULL_TESTS } from "@findersfee/database/testing/full-tests";
import { type Arbitrary, boolean, constantFrom, record, sample } from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import { call, type Input, surfaces } from "../operations.ts";
import { addCommission, CAMPAIGN, createProgram, type Program } from "../program.ts";
import { startTestService, type TestService } from "../test-service.ts";

const REQUESTS = FULL_TESTS ? 1200 : 400;
const CLIENTS = 32;

let service: TestService;
/** Two rows of each resource; the second replaces the first in `others`. */
let program: Program;
let others: Program;

beforeAll(async () => {
  service = await startTestService();
  program = await createProgram(service);
  const { trpc } = program.organization;
  const campaign = await trpc.campaigns.create.mutate({
    ...CAMPAIGN,
    code_mode: "both",
    reference_coupon: "coupon_20",
  });
  const affiliate = await trpc.affiliates.create.mutate({ email: "b@partners.example.com" });
  const referral = await trpc.referrals.create.mutate({ affiliate_id: affiliate.id, email: "b@example.com" });
  const commission = await addCommission({ ...program, referral });
  others = { ...program, campaign, affiliate, referral, commission };
});

afterAll(() => service.close());

/** Requests with few distinct values, so that they compete for the same rows and unique values. */
const REQUEST = record({
  resource: constantFrom("campaigns", "affiliates", "referrals", "commissions"),
  verb: constantFrom("create", "update"),
  surface: constantFrom(...surfaces),
  second: boolean(),
  flag: boolean(),
  email: constantFrom("a@example.com", "A@example.com", "b@example.com", undefined),
  code: constantFrom("xx", "XX", "yy", undefined),
  processor_id: constantFrom("one", "two", undefined),
  key: constantFrom("key-1", "key-2", undefined, undefined),
});

type Request = typeof REQUEST extends Arbitrary<infer Value> ? Value : never;

function inputOf({ resource, verb, second, flag, email, code, processor_id }: Request): Input {
  const { campaign, affiliate, referral, commission } = second ? others : program;
  const creates = verb === "create";
  switch (resource) {
    case "campaigns":
      return creates ? { ...CAMPAIGN, is_default: flag } : { id: campaign.id, is_default: flag };
    case "affiliates": {
      const row = creates ? { campaign_id: campaign.id } : { id: affiliate.id };
      // No customer's address: an affiliate refers nobody with the own one.
      const own = (email ?? "c@example.com").replace("@", "@partners.");
      return { ...row, email: own, approved: flag, ref_code: code };
    }
    case "referrals": {
      const row = creates ? { affiliate_id: affiliate.id } : { id: referral.id };
      return { ...row, email: email ?? "c@example.com", processor_customer_id: processor_id };
    }
    case "commissions": {
      const row = creates ? { referral_id: referral.id } : { id: commission.id };
      return { ...row, revenue_amount: 10, commission_amount: 1, processor_payment_id: processor_id };
    }
  }
}

/** A busy machine answers 503 with Retry-After, and clients send the request again. */
async function callUntilServed(surface: Request["surface"], request: Parameters<typeof call>[2]) {
  for (;;) {
    const answer = await call(surface, program.organization, request);
    if (answer.error?.code !== "unavailable") return answer;
  }
}

/** The allowed results of a request under contention. */
const EXPECTED = [
  "affiliate_exists",
  "code_taken",
  "referral_exists",
  "commission_exists",
  "idempotency_conflict",
];

async function count(
  rows: "campaigns" | "affiliates" | "referrals" | "commissions" | "events",
  where = "true",
) {
  const [row] = await service.database<[{ count: number }]>`
    select count(*)::int as count from ${service.database(rows)} where ${service.database.unsafe(where)}`;
  return row.count;
}

it(`keeps every rule under ${REQUESTS} competing requests`, async () => {
  const waiting = sample(REQUEST, REQUESTS);
  const client = async () => {
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      const { resource, verb, surface, key } = next;
      const headers = key === undefined ? {} : { "idempotency-key": key };
      const request = { name: `${resource}.${verb}`, input: inputOf(next), headers };
      const { error } = await callUntilServed(surface, request);
      if (error !== null) expect(EXPECTED).toContain(error.code);
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, client));

  expect(await count("campaigns", "is_default")).toBeLessThanOrEqual(1);
  expect(await count("events", "type = 'affiliate.created'")).toBe(await count("affiliates"));
  expect(await count("events", "type = 'referral.created'")).toBe(await count("referrals"));
  expect(await count("events", "type = 'commission.created'")).toBe(await count("commissions"));
  const converted = await count("referrals", "converted_at is not null");
  expect(await count("events", "type = 'referral.converted'")).toBe(converted);
  expect(await count("referrals", "id in (select referral_id from commissions)")).toBe(converted);
});
