import { randomUUID } from "node:crypto";
import type { Transaction } from "@findersfee/database/postgres/connect";
import type { Damage } from "./entry-damages.ts";
import type { FilledLedger } from "./filled.ts";

/** Changes the only step of the decision about in_partly, which earned 30 % of 100.00 USD. */
async function changeStep(
  sql: Transaction,
  { context: { organization } }: FilledLedger,
  step: object,
): Promise<void> {
  await sql`
    update payment_decisions
    set explanation = jsonb_set(explanation::jsonb, '{steps,0}', explanation::jsonb #> '{steps,0}' || ${sql.json(step as never)})
    where organization_id = ${organization.id} and payment_id = 'in_partly'`;
}

const RATE = { currency: "USD", rate: "1.08", source: "ecb", day: "2026-01-02" };

/** 27.78 EUR are 30.00 USD at the rate. */
const converted = { type: "fixed", value: "2778", currency: "EUR" };

async function storeRate(sql: Transaction): Promise<void> {
  await sql`
    insert into exchange_rates (source, currency, day, revision, rate, fetched_at)
    values ('ecb', 'USD', ${RATE.day}, 1, ${RATE.rate}, now())`;
}

/** A rule of a list that gives 30 % in a tier. */
async function storeTierRule(sql: Transaction, { context: { organization } }: FilledLedger) {
  const [rule_id, tier_id] = [randomUUID(), randomUUID()];
  const rule = {
    id: rule_id,
    name: null,
    conditions: { tiers: [tier_id] },
    reward: { type: "percentage", value: "300000" },
  };
  await sql`
    insert into commission_rule_sets (organization_id, id, rules)
    values (${organization.id}, ${randomUUID()}, ${sql.json([rule])})`;
  return { rule_id, tier_id };
}

/** Jane's tier from a time on. */
async function reachTier(
  sql: Transaction,
  { context: { organization }, jane }: FilledLedger,
  { tier_id, since }: { tier_id: string | null; since: string },
): Promise<void> {
  await sql`
    insert into affiliate_tiers (organization_id, affiliate_id, since, campaign_id, tier_id, tier_name, measure, number,
      measured_on)
    values (${organization.id}, ${jane.affiliate_id}, now() + ${since}::interval, ${randomUUID()}, ${tier_id},
      ${tier_id === null ? null : "Gold"}, 'customers', 10, now()::date)`;
}

export const of_decisions: readonly Damage[] = [
  {
    name: "a decision does not add up",
    damage: async (sql, ledger) => {
      await changeStep(sql, ledger, { value: "1" });
      return ["decision_amount: payment in_partly"];
    },
  },
  {
    name: "a decision names a rule that nobody made",
    damage: async (sql, ledger) => {
      await changeStep(sql, ledger, { rule: "rule", rule_id: randomUUID() });
      return ["decision_rule: payment in_partly"];
    },
  },
  {
    name: "a decision by the rule of a tier that the affiliate got later",
    damage: async (sql, ledger) => {
      const { rule_id, tier_id } = await storeTierRule(sql, ledger);
      await reachTier(sql, ledger, { tier_id, since: "2 days" });
      await changeStep(sql, ledger, { rule: "rule", rule_id });
      return ["decision_tier: payment in_partly"];
    },
  },
  {
    name: "a decision by the rule of a tier that the affiliate had until long before",
    damage: async (sql, ledger) => {
      const { rule_id, tier_id } = await storeTierRule(sql, ledger);
      await reachTier(sql, ledger, { tier_id, since: "-80 days" });
      await reachTier(sql, ledger, { tier_id: null, since: "-60 days" });
      await changeStep(sql, ledger, { rule: "rule", rule_id });
      return ["decision_tier: payment in_partly"];
    },
  },
  {
    name: "the refund is missing of a decision by the rule of a tier that the affiliate had",
    damage: async (sql, ledger) => {
      const { rule_id, tier_id } = await storeTierRule(sql, ledger);
      await reachTier(sql, ledger, { tier_id, since: "-80 days" });
      await changeStep(sql, ledger, { rule: "rule", rule_id });
      await sql`
        update payment_decisions set reversed_minor = 4100
        where organization_id = ${ledger.context.organization.id} and payment_id = 'in_partly'`;
      return [`reversal_missing: commission ${ledger.commissions.partly}`];
    },
  },
  {
    name: "a conversion without a rate",
    damage: async (sql, ledger) => {
      await changeStep(sql, ledger, {
        ...converted,
        conversion: { amount_minor: "3000", rate: "1.08", rates: [] },
      });
      return ["decision_conversion: payment in_partly"];
    },
  },
  {
    name: "a conversion by a rate that is not stored",
    damage: async (sql, ledger) => {
      await changeStep(sql, ledger, {
        ...converted,
        conversion: { amount_minor: "3000", rate: "1.08", rates: [RATE] },
      });
      return ["decision_conversion: payment in_partly"];
    },
  },
  {
    name: "a conversion to another amount than its rates give",
    damage: async (sql, ledger) => {
      await storeRate(sql);
      await changeStep(sql, ledger, {
        ...{ ...converted, value: "2777" },
        conversion: { amount_minor: "3000", rate: "1.08", rates: [RATE] },
      });
      return ["decision_conversion: payment in_partly"];
    },
  },
  {
    name: "a correct conversion does not add up to the commission",
    damage: async (sql, ledger) => {
      await storeRate(sql);
      await changeStep(sql, ledger, {
        ...{ ...converted, value: "2777" },
        conversion: { amount_minor: "2999", rate: "1.08", rates: [RATE] },
      });
      return ["decision_amount: payment in_partly"];
    },
  },
];
