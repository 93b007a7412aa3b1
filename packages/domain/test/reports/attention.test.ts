import type { TestDatabase } from "@findersfee/database/testing";
import { describe, expect, it } from "vitest";
import type { CreationContext } from "../../src/commissions/create.ts";
import { listAttention } from "../../src/reports/attention.ts";
import { beforeEachProgram } from "../ledger/earner-program.ts";
import { addEarner, type Earner, earn, monthsAgo, payOut } from "../ledger/program.ts";

let test: TestDatabase;
let context: CreationContext;
let jane: Earner;

beforeEachProgram(async (program) => {
  ({ test, context, jane } = program);
});

describe("the affiliates to whom something is due", () => {
  const count = async () => (await listAttention(context)).due_affiliates;
  const LONG_AGO = new Date("2026-01-01T00:00:00Z");

  it("count once, whatever the number of their currencies", async () => {
    expect(await count()).toBe(0);
    await earn(context, jane, { amount: 30, referral_date: LONG_AGO });
    await earn(context, jane, { amount: 5, currency: "EUR", referral_date: LONG_AGO });
    expect(await count()).toBe(1);
    const joe = await addEarner(context);
    await earn(context, joe, { amount: 1, currency: "EUR", referral_date: LONG_AGO });
    expect(await count()).toBe(2);
    await payOut(context, monthsAgo(0));
    expect(await count()).toBe(0);
  });

  it("leave out those of whom all is still held", async () => {
    const id = await earn(context, jane, { amount: 30, referral_date: LONG_AGO });
    await test.database`
      update unpaid_commissions set due_at = now() + interval '1 day'
      where organization_id = ${context.organization.id} and commission_id = ${id}`;
    expect(await count()).toBe(0);
  });
});
