import type { TiersInput } from "@findersfee/contract/campaigns/tiers";
import { addDays } from "@findersfee/contract/reports/periods";
import type { Database } from "@findersfee/database/postgres/connect";
import { findToday } from "@findersfee/database/tiers/evaluations";
import { vi } from "vitest";
import { type CreationContext, createCommission } from "../src/commissions/create.ts";
import type { Context } from "../src/context.ts";
import { createReferral } from "../src/customers/referrals/create.ts";
import { type EvaluatedTiers, evaluateTiers } from "../src/tiers/evaluate.ts";
import { makeContext } from "./subscriber.ts";
import { ownOrganization, sealDueTotals } from "./work.ts";

/** An organization in a time zone in which yesterday has been over for hours. */
export async function makeTierContext(database: Database): Promise<CreationContext> {
  const context = await makeContext(database);
  const time_zone = new Date().getUTCHours() < 12 ? "Etc/GMT-8" : "UTC";
  await database`update organizations set time_zone = ${time_zone} where id = ${context.organization.id}`;
  return context;
}

export const tiersOf = (
  fields: Partial<Omit<TiersInput, "steps">>,
  ...steps: (Partial<TiersInput["steps"][number]> & { name: string; from: number })[]
): TiersInput => ({
  measure: "customers",
  period: "all_time",
  ...fields,
  steps: steps.map((step) => ({ commission: null, bonus: null, ...step })),
});

export const yesterday = async ({ database, organization }: Context) =>
  addDays(await findToday(database, organization.id), -1);

let customers = 0;

/** New customers of an affiliate on a day, each with a commission of 10.00 for 20.00; they were recorded at noon in UTC. */
export async function bring(
  context: CreationContext,
  {
    affiliate_id,
    day,
    count = 1,
    currency = "USD",
  }: { affiliate_id: string; day: string; count?: number; currency?: string },
): Promise<void> {
  vi.useFakeTimers({ now: new Date(`${day}T12:00:00.000Z`), toFake: ["Date"] });
  try {
    for (let number = 0; number < count; number++) {
      customers += 1;
      const email = `customer${customers}@customers.test`;
      const referral = await createReferral(context, { affiliate_id, email, subscription_status: "active" });
      await createCommission(context, {
        referral_id: referral.id,
        revenue_amount: 20,
        commission_amount: 10,
        currency,
      });
    }
  } finally {
    vi.useRealTimers();
  }
}

/** Sums up all rows again, so that rows of the past are sealed. */
export async function seal(context: Context): Promise<void> {
  await context.database`
    update total_seals set due_at = now(), is_outdated = true where organization_id = ${context.organization.id}`;
  await sealDueTotals(context);
}

/**
 * Dates the campaigns' tiers back, as if a worker had measured them until the end of the day. A measurement
 * that runs does not complete then.
 */
export async function measuredUntil(
  { database, organization }: Context,
  { day, bonuses_from = day }: { day: string; bonuses_from?: string },
): Promise<void> {
  await database`
    update tier_evaluations set measured_on = ${day}, bonuses_from = ${bonuses_from}, is_changed = false, due_at = now(),
      version = version + 1
    where organization_id = ${organization.id}`;
}

/** All turns that are due. */
export async function evaluate({ database, organization }: Context, limit?: number): Promise<EvaluatedTiers> {
  const owner = await ownOrganization(database, organization.id);
  const { signal } = new AbortController();
  const sum = { changed: 0, failed: 0, has_more: true };
  while (sum.has_more) {
    const turn = await evaluateTiers(database, organization.id, {
      owner,
      signal,
      ...(limit !== undefined && { limit }),
    });
    sum.changed += turn.changed;
    sum.failed += turn.failed;
    sum.has_more = turn.has_more;
  }
  return sum;
}
