/*
 * Each query of the portal, called with the ids of another affiliate of the same organization: nothing of that one is
 * answered. Nor is the team's note about the affiliate, by any of them.
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { portal_router } from "../../src/portal/router.ts";
import { payOut } from "../payouts/payout-run.ts";
import { sharedTestService, type TestService } from "../test-service.ts";
import { openPortal } from "./affiliate-browser.ts";

/** The rows of an affiliate. */
interface Owned {
  headers: Record<string, string>;
  affiliate_id: string;
  commission_id: string;
  payout_id: string;
  /** Texts that mark each row of the affiliate. */
  marks: string[];
}

const ALL_TIME = { until: "2100-01-01" };
const NOTE = "Do not pay before Bob has checked.";
const LINES = { limit: 10 };
const FIRST_ID = "00000000-0000-7000-8000-000000000000";

/** The input of each query that has one, with ids of an affiliate. */
const INPUTS: Record<string, (of: Owned) => object> = {
  "claims.list": () => ({}),
  "earnings.list": () => ({}),
  "earnings.get": ({ commission_id }) => ({ id: commission_id }),
  "referrals.list": () => ({}),
  "performance.get": () => ({ dimension: "sub_id", ...ALL_TIME }),
  "performance.series": () => ({ dimension: "sub_id", ...ALL_TIME, unit: "month", from: "2099-01-01" }),
  "payouts.list": () => ({}),
  "payouts.get": ({ payout_id }) => ({ id: payout_id }),
  "payouts.lines": ({ payout_id }) => ({ id: payout_id, after: FIRST_ID, ...LINES }),
};

const queries = Object.entries(
  portal_router._def.procedures as unknown as Record<
    string,
    { _def: { type: string; inputs: readonly unknown[] } }
  >,
)
  .filter(([, { _def }]) => _def.type === "query")
  .map(([name, { _def }]) => ({ name, has_input: _def.inputs.length > 0 }));

let service: TestService;
let jane: Owned;
let joe: Owned;

beforeAll(async () => {
  service = await sharedTestService();
  const { payouts } = await payOut(service, ["10.00 USD", "20.00 USD"]);
  const [first, second] = payouts;
  if (first === undefined || second === undefined) throw new Error("no payouts");
  [jane, joe] = [
    await ownedBy(first, "customer0@example.com"),
    await ownedBy(second, "customer1@example.com"),
  ];
});

afterAll(() => service.close());

async function ownedBy(
  { id: payout_id, payout_email }: { id: string; payout_email: string },
  customer: string,
): Promise<Owned> {
  const [row] = await service.database<
    [{ affiliate_id: string; commission_id: string; referral_id: string }]
  >`
    select commission.affiliate_id, commission.id as commission_id, commission.referral_id
    from payouts payout join commissions commission on commission.affiliate_id = payout.affiliate_id
    where payout.id = ${payout_id}`;
  await service.database`
    insert into claims (organization_id, id, affiliate_id, email, paid_on, note, payment_known, created_at)
    select organization_id, gen_random_uuid(), id, ${customer}, current_date, 'Order 4711', true, now()
    from affiliates where id = ${row.affiliate_id}`;
  await service.database`update referrals set sub_id = ${customer} where id = ${row.referral_id}`;
  await service.database`update affiliates set note = ${NOTE} where id = ${row.affiliate_id}`;
  const session = (await openPortal(service, payout_email)).cookies.get("findersfee_portal");
  const { affiliate_id, commission_id, referral_id } = row;
  return {
    headers: { cookie: `findersfee_portal=${session}`, "findersfee-affiliate": affiliate_id },
    affiliate_id,
    commission_id,
    payout_id,
    marks: [affiliate_id, commission_id, referral_id, payout_id, payout_email, customer],
  };
}

async function ask(name: string, sender: Owned, of: Owned): Promise<{ status: number; text: string }> {
  const input = INPUTS[name];
  const query = input === undefined ? "" : `?input=${encodeURIComponent(JSON.stringify(input(of)))}`;
  const response = await fetch(`${service.url}/portal/trpc/${name}${query}`, { headers: sender.headers });
  return { status: response.status, text: await response.text() };
}

describe("a query of the portal", () => {
  it.each(queries)("$name answers with the affiliate's own rows alone", async ({ name, has_input }) => {
    if (has_input && INPUTS[name] === undefined) throw new Error(`declare the input of ${name} above`);
    const own = await ask(name, jane, jane);
    expect(own.status, own.text).toBe(200);
    expect(own.text).not.toContain(NOTE);
    const foreign = await ask(name, jane, joe);
    expect([200, 404]).toContain(foreign.status);
    for (const mark of joe.marks) expect(foreign.text).not.toContain(mark);
    // The queries would answer the other one.
    const asked_by_joe = await ask(name, joe, joe);
    expect(asked_by_joe.status).toBe(200);
    const takes_id = has_input && Object.hasOwn(INPUTS[name]?.(joe) ?? {}, "id");
    expect(foreign.status).toBe(takes_id ? 404 : 200);
  });

  it("of rows has rows to answer with", async () => {
    for (const name of Object.keys(INPUTS)) {
      // Points of a chart name no row.
      if (name === "performance.series") continue;
      const { text } = await ask(name, joe, joe);
      expect(joe.marks.some((mark) => text.includes(mark))).toBe(true);
    }
  });
});
