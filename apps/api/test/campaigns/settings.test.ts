import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { answerOf, errorOf, type Input, refusedFields } from "../operations.ts";
import { CAMPAIGN } from "../program.ts";
import { sharedTestService, type TestClient, type TestService } from "../test-service.ts";

let service: TestService;
let organization: TestClient;
let yen: TestClient;

beforeAll(async () => {
  service = await sharedTestService();
  organization = await service.organization();
  yen = await service.organization({ currency: "JPY" });
});

afterAll(() => service.close());

/** A campaign in the state `state`, updated with `change`. */
interface Case {
  state?: Input;
  change: Input;
  refused: string[];
}

const RULES: Record<string, Case[]> = {
  "a code_mode's fields, on the merged state": [
    { change: { code_mode: "coupon" }, refused: ["reference_coupon"] },
    { change: { code_mode: "both" }, refused: ["reference_coupon"] },
    { change: { code_mode: "both", reference_coupon: "c" }, refused: [] },
    { change: { code_mode: "coupon", reference_coupon: "c", website_url: null }, refused: [] },
    { change: { website_url: null }, refused: ["website_url"] },
    { change: { code_mode: "both", website_url: null }, refused: ["website_url", "reference_coupon"] },
    { state: { reference_coupon: "c" }, change: { code_mode: "coupon" }, refused: [] },
    { state: { reference_coupon: "c" }, change: { code_mode: "coupon", website_url: null }, refused: [] },
    {
      state: { reference_coupon: "c", code_mode: "coupon" },
      change: { reference_coupon: null },
      refused: ["reference_coupon"],
    },
    {
      state: { reference_coupon: "c", code_mode: "both" },
      change: { reference_coupon: null, code_mode: "link" },
      refused: [],
    },
    { change: { reference_coupon: "" }, refused: ["reference_coupon"] },
  ],
  "limits, on the merged state": [
    { change: { limit_type: "months" }, refused: ["limit_amount"] },
    { change: { limit_amount: 3 }, refused: ["limit_amount"] },
    { change: { limit_type: "none", limit_amount: 3 }, refused: ["limit_amount"] },
    { change: { limit_type: "payments", limit_amount: 1 }, refused: [] },
    { change: { limit_type: "payments", limit_amount: 0 }, refused: ["limit_amount"] },
    { change: { limit_type: "payments", limit_amount: 1.5 }, refused: ["limit_amount"] },
    { state: { limit_type: "months", limit_amount: 3 }, change: { limit_amount: 4 }, refused: [] },
    { state: { limit_type: "months", limit_amount: 3 }, change: { limit_type: "payments" }, refused: [] },
    {
      state: { limit_type: "months", limit_amount: 3 },
      change: { limit_amount: null },
      refused: ["limit_amount"],
    },
  ],
  percentages: [
    { change: { commission_amount: 100 }, refused: [] },
    { change: { commission_amount: 100.0001 }, refused: ["commission_amount"] },
    { change: { commission_amount: 0.0001 }, refused: [] },
    { change: { commission_amount: 0.00001 }, refused: ["commission_amount"] },
    { change: { commission_amount: 1e-7 }, refused: ["commission_amount"] },
    {
      state: { commission_type: "fixed", commission_amount: 250 },
      change: { commission_type: "percentage" },
      refused: ["commission_amount"],
    },
  ],
  "fixed amounts": [
    { change: { commission_type: "fixed", commission_amount: 0.01 }, refused: [] },
    { change: { commission_type: "fixed", commission_amount: 0.001 }, refused: ["commission_amount"] },
    { change: { commission_type: "fixed", commission_amount: 999_999_999_999.99 }, refused: [] },
    {
      state: { commission_amount: 33.333 },
      change: { commission_type: "fixed" },
      refused: ["commission_amount"],
    },
  ],
  "the first payment's commission": [
    { change: { first_payment_commission: { enabled: true, type: "percentage", amount: 50 } }, refused: [] },
    { change: { first_payment_commission: { enabled: false, type: "fixed", amount: 0 } }, refused: [] },
    {
      change: { first_payment_commission: { enabled: true, type: "percentage", amount: 0 } },
      refused: ["first_payment_commission.amount"],
    },
    {
      change: { first_payment_commission: { enabled: false, type: "percentage", amount: 101 } },
      refused: ["first_payment_commission.amount"],
    },
    {
      change: { first_payment_commission: { enabled: true, type: "fixed", amount: 0.001 } },
      refused: ["first_payment_commission.amount"],
    },
    {
      change: { first_payment_commission: { enabled: true, amount: 5 } },
      refused: ["first_payment_commission.type"],
    },
    {
      change: { first_payment_commission: { enabled: true, type: "fixed", amount: 5, extra: 1 } },
      refused: ["first_payment_commission.extra"],
    },
  ],
  "products' commissions": [
    {
      change: {
        custom_commissions: [
          { product_id: "a", type: "percentage", amount: 0 },
          { product_id: "b", type: "fixed", amount: 0 },
        ],
      },
      refused: [],
    },
    {
      change: {
        custom_commissions: [
          { product_id: "a", type: "percentage", amount: 101 },
          { product_id: "b", type: "fixed", amount: 1.999 },
          { product_id: "a", type: "fixed", amount: 5 },
        ],
      },
      refused: [
        "custom_commissions[0].amount",
        "custom_commissions[1].amount",
        "custom_commissions[2].product_id",
      ],
    },
    {
      change: {
        custom_commissions: [
          { product_id: "a", type: "fixed", amount: -1 },
          { product_id: "b", type: "percentage", amount: -0.0001 },
        ],
      },
      refused: ["custom_commissions[0].amount", "custom_commissions[1].amount"],
    },
  ],
  "fields of the signup form": [
    {
      change: { custom_fields: [{ id: "a", label: "", type: "text" }] },
      refused: ["custom_fields[0].label"],
    },
    {
      change: {
        custom_fields: [
          { id: "a", label: "A", type: "select" },
          { id: "b", label: "B", type: "multi_select", options: [] },
          { id: "a", label: "C", type: "text", options: ["no"] },
        ],
      },
      refused: [
        "custom_fields[0].options",
        "custom_fields[1].options",
        "custom_fields[2].id",
        "custom_fields[2].options",
      ],
    },
    {
      change: { custom_fields: [{ id: "a", label: "A", type: "checkbox" }] },
      refused: ["custom_fields[0].type"],
    },
  ],
};

describe.each(Object.entries(RULES))("%s", (_rule, cases) => {
  it.each(cases)("rejects $refused after $state, then $change", async ({ state = {}, change, refused }) => {
    const { id } = await answerToCreate(organization, { ...CAMPAIGN, ...state });
    const whole = { ...CAMPAIGN, ...state, ...change };
    if (refused.length === 0) {
      expect(await answerOf(organization, "campaigns.update", { id, ...change })).toMatchObject(change);
      expect(await answerToCreate(organization, whole)).toMatchObject(change);
      return;
    }
    const issues = await refusedFields(organization, "campaigns.update", { id, ...change });
    expect(issues.sort()).toEqual([...refused].sort());
    expect((await refusedFields(organization, "campaigns.create", whole)).sort()).toEqual(
      [...refused].sort(),
    );
  });
});

async function answerToCreate(client: TestClient, input: Input): Promise<Input & { id: string }> {
  const { status, body } = await client.rest("POST", "/campaigns", input);
  expect([status, body.error]).toEqual([200, undefined]);
  return body.data;
}

it("clears the limit's amount when the limit is removed", async () => {
  const { id } = await answerToCreate(organization, { ...CAMPAIGN, limit_type: "months", limit_amount: 3 });
  const updated = await answerOf(organization, "campaigns.update", { id, limit_type: "none" });
  expect(updated).toMatchObject({ limit_type: "none", limit_amount: null });
});

it("describes each issue", async () => {
  const input = { ...CAMPAIGN, commission_amount: 12.34567, code_mode: "both", limit_type: "payments" };
  expect(await errorOf(organization, "campaigns.create", input)).toEqual({
    code: "invalid_request",
    message: "The request is not valid.",
    issues: [
      { path: "reference_coupon", message: "Required for promo codes." },
      { path: "limit_amount", message: "Required for a limit in payments." },
      { path: "commission_amount", message: "A percentage has at most 4 decimals." },
    ],
  });
});

it("sets defaults of signup form fields", async () => {
  const { custom_fields } = await answerToCreate(organization, {
    ...CAMPAIGN,
    custom_fields: [{ id: "a", label: "A", type: "textarea" }],
  });
  expect(custom_fields).toEqual([{ id: "a", label: "A", type: "textarea", options: [], required: false }]);
});

it("validates fixed amounts in the organization's currency", async () => {
  const fixed = { ...CAMPAIGN, commission_type: "fixed" };
  expect(await answerToCreate(yen, { ...fixed, commission_amount: 500 })).toMatchObject({
    commission_amount: 500,
  });
  expect(await errorOf(yen, "campaigns.create", { ...fixed, commission_amount: 500.5 })).toMatchObject({
    issues: [{ path: "commission_amount", message: "An amount in JPY has at most 0 decimals." }],
  });
  expect(await answerToCreate(yen, { ...CAMPAIGN, commission_amount: 12.5 })).toMatchObject({
    commission_amount: 12.5,
  });
});
