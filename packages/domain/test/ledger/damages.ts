import { randomUUID } from "node:crypto";
import type { Connection } from "@findersfee/database/postgres/connect";
import { of_adjustments } from "./adjustment-damages.ts";
import { of_decisions } from "./decision-damages.ts";
import { balanceOf, commission, type Damage, entryOf, of_entries, payout, putInto } from "./entry-damages.ts";
import { of_leads } from "./lead-damages.ts";
import { of_payments } from "./payment-damages.ts";

const totalsOf = (run_id: string) => `run_totals: payout run ${run_id}`;

/** Makes jane a recruit of joe, without the percentage of each of her commissions that joe should get. */
async function recruit(
  sql: Connection,
  { jane, joe }: Record<"jane" | "joe", { affiliate_id: string }>,
): Promise<void> {
  await sql`
    update affiliates set recruited_by = ${joe.affiliate_id}, recruiting_rate = 100000, recruited_until = 'infinity'
    where id = ${jane.affiliate_id}`;
}

const of_commissions: Damage[] = [
  {
    name: "a conversion is of no payout",
    damage: async (sql, { jane, context }) => {
      const payout_id = randomUUID();
      await sql`insert into payout_conversions ${sql({
        ...{ organization_id: context.organization.id, payout_id, affiliate_id: jane.affiliate_id },
        ...{ from_currency: "EUR", from_minor: 100, from_rate: "1", from_decimals: 2 },
        ...{ to_currency: "USD", to_minor: 108, to_rate: "1.08", to_decimals: 2 },
        ...{ to_source: "ecb", to_day: "2026-11-26" },
      })}`;
      return [`payout_conversion: ${payout(payout_id)}`];
    },
  },
  {
    name: "a commission is gone",
    damage: async (sql, { jane, commissions: { unpaid } }) => {
      const { number } = await entryOf(sql, unpaid, "earned");
      await sql`delete from commissions where id = ${unpaid}`;
      return [
        `entry_commission: entry ${number}`,
        `commission_entries: ${commission(unpaid)}`,
        `unpaid_commission: ${commission(unpaid)}`,
        `balance_commissions: ${balanceOf(jane.affiliate_id)}`,
      ];
    },
  },
  {
    name: "a commission is owed twice",
    damage: async (sql, { commissions: { paid } }) => {
      await sql`
        insert into unpaid_commissions (organization_id, commission_id, affiliate_id, currency, commission_minor,
          due_at)
        select organization_id, id, affiliate_id, currency, commission_minor, payable_at
        from commissions where id = ${paid}`;
      return [`commission_state: ${commission(paid)}`];
    },
  },
  {
    name: "a commission is in a payout for another affiliate",
    damage: async (sql, { jane, joe, commissions: { paid } }) => {
      await sql`update payout_commissions set affiliate_id = ${joe.affiliate_id} where commission_id = ${paid}`;
      const found = ["commission_state", "commission_payout"].map((name) => `${name}: ${commission(paid)}`);
      return [...found, `balance_commissions: ${balanceOf(jane.affiliate_id)}`];
    },
  },
  {
    name: "a commission is owed nowhere",
    damage: async (sql, { commissions: { unpaid } }) => {
      await sql`delete from unpaid_commissions where commission_id = ${unpaid}`;
      return [`commission_state: ${commission(unpaid)}`];
    },
  },
  {
    name: "more is owed than a commission",
    damage: async (sql, { commissions: { unpaid } }) => {
      await sql`update unpaid_commissions set commission_minor = commission_minor + 1 where commission_id = ${unpaid}`;
      return [`unpaid_commission: ${commission(unpaid)}`];
    },
  },
  {
    name: "a paid commission's amount",
    damage: async (sql, { jane, commissions: { paid }, payouts }) => {
      await sql`update commissions set commission_minor = commission_minor + 100 where id = ${paid}`;
      return [
        `commission_entries: ${commission(paid)}`,
        `payout_amount: ${payout(payouts.paid)}`,
        `balance_commissions: ${balanceOf(jane.affiliate_id)}`,
      ];
    },
  },
  {
    name: "a paid commission is unpaid again",
    damage: async (sql, { jane, commissions: { paid }, payouts }) => {
      await sql`delete from payout_commissions where commission_id = ${paid}`;
      return [
        `commission_state: ${commission(paid)}`,
        `entry_commissions: ${payout(payouts.paid)}`,
        `payout_amount: ${payout(payouts.paid)}`,
        `balance_commissions: ${balanceOf(jane.affiliate_id)}`,
      ];
    },
  },
  {
    name: "a payout is paid that was not",
    damage: async (sql, { joe, payouts: { pending }, runs }) => {
      await sql`update payouts set status = 'paid' where id = ${pending}`;
      return [
        `entry_once: ${payout(pending)}`,
        `balance_commissions: ${balanceOf(joe.affiliate_id)}`,
        totalsOf(runs.first),
      ];
    },
  },
  {
    name: "a commission of no affiliate",
    damage: async (sql, { jane, commissions: { unpaid } }) => {
      const nobody = randomUUID();
      await sql`update commissions set affiliate_id = ${nobody} where id = ${unpaid}`;
      // The one has too little of it, the other too much.
      const entries = `commission_entries: ${commission(unpaid)}`;
      const balances = [nobody, jane.affiliate_id].map((id) => `balance_commissions: ${balanceOf(id)}`);
      const known = ["commission_affiliate", "unpaid_commission"].map(
        (name) => `${name}: ${commission(unpaid)}`,
      );
      return [...known, entries, entries, ...balances];
    },
  },
  {
    name: "a commission of no referral",
    damage: async (sql, { commissions: { unpaid } }) => {
      await sql`update commissions set referral_id = ${randomUUID()} where id = ${unpaid}`;
      return [`commission_referral: ${commission(unpaid)}`];
    },
  },
  {
    name: "a commission of less than nothing",
    damage: async (sql, { commissions: { voided } }) => {
      await sql`update commissions set commission_minor = -1 where id = ${voided}`;
      return [`commission_amount: ${commission(voided)}`];
    },
  },
  {
    name: "a commission of a recruit without one for the recruiter",
    damage: async (sql, { jane, joe, commissions: { unpaid } }) => {
      await recruit(sql, { jane, joe });
      const rows = await sql<{ id: string }[]>`
        select id from commissions where affiliate_id = ${jane.affiliate_id} order by id`;
      for (const { id } of rows) {
        if (id === unpaid) continue;
        await sql`
          insert into recruit_terms (organization_id, commission_id, recruit_id, refusal, created_at)
          select organization_id, coalesce(reversal_of, id), affiliate_id, 'voided', now() from commissions
          where id = ${id} on conflict do nothing`;
      }
      return [`recruit_amount: ${commission(unpaid)}`, `recruit_terms: ${commission(unpaid)}`];
    },
  },
  {
    name: "a commission for no recruit",
    damage: async (sql, { commissions: { voided } }) => {
      await sql`
        update commissions set recruit_commission_id = ${randomUUID()}, revenue_minor = 0 where id = ${voided}`;
      return [`recruit_commission: ${commission(voided)}`];
    },
  },
  {
    name: "a commission is paid before it was made",
    damage: async (sql, { commissions: { pending } }) => {
      await sql`update commissions set created_at = created_at + interval '1 day' where id = ${pending}`;
      return [`payout_due: ${commission(pending)}`];
    },
  },
  {
    name: "a commission is paid before its time",
    damage: async (sql, { commissions: { pending } }) => {
      await sql`update commissions set payable_at = payable_at + interval '1 day' where id = ${pending}`;
      return [`payout_due: ${commission(pending)}`];
    },
  },
  {
    name: "a reversal of nothing",
    damage: async (sql, { commissions: { reversal, reversed } }) => {
      await sql`update commissions set reversal_of = ${randomUUID()} where id = ${reversal}`;
      return [`reversal_original: ${commission(reversal)}`, `reversal_missing: ${commission(reversed)}`];
    },
  },
  {
    name: "a reversal of another commission",
    damage: async (sql, { commissions: { reversal, reversed, voided } }) => {
      await sql`update commissions set reversal_of = ${voided} where id = ${reversal}`;
      return [`reversal_amount: ${commission(voided)}`, `reversal_missing: ${commission(reversed)}`];
    },
  },
];

const of_payouts: Damage[] = [
  {
    name: "a payout is gone",
    damage: async (sql, { commissions: { pending }, payouts, runs }) => {
      const { number } = await putInto(sql, payouts.pending);
      await sql`delete from payouts where id = ${payouts.pending}`;
      return [
        `commission_payout: ${commission(pending)}`,
        `entry_payout: entry ${number}`,
        totalsOf(runs.first),
      ];
    },
  },
  {
    name: "a payout's amount",
    damage: async (sql, { payouts: { paid }, runs }) => {
      await sql`update payouts set amount_minor = amount_minor + 1 where id = ${paid}`;
      return [`payout_amount: ${payout(paid)}`, `entry_once: ${payout(paid)}`, totalsOf(runs.first)];
    },
  },
  {
    name: "a payout's count",
    damage: async (sql, { payouts: { processing } }) => {
      await sql`update payouts set payment_count = payment_count + 1 where id = ${processing}`;
      return [`payout_amount: ${payout(processing)}`];
    },
  },
  {
    name: "a payout of nothing",
    damage: async (sql, { payouts: { failed }, runs }) => {
      await sql`update payouts set amount_minor = 0 where id = ${failed}`;
      return [`payout_positive: ${payout(failed)}`, `entry_once: ${payout(failed)}`, totalsOf(runs.first)];
    },
  },
  {
    name: "a payout of another affiliate",
    damage: async (sql, { joe, commissions: { failed_once }, payouts: { euros } }) => {
      const { number } = await putInto(sql, euros);
      await sql`update payouts set affiliate_id = ${joe.affiliate_id} where id = ${euros}`;
      return [`commission_payout: ${commission(failed_once)}`, `entry_payout: entry ${number}`];
    },
  },
  {
    name: "a payout of no affiliate",
    damage: async (sql, { commissions: { pending }, payouts }) => {
      const { number } = await putInto(sql, payouts.pending);
      await sql`update payouts set affiliate_id = ${randomUUID()} where id = ${payouts.pending}`;
      return [
        `commission_payout: ${commission(pending)}`,
        `entry_payout: entry ${number}`,
        `payout_affiliate: ${payout(payouts.pending)}`,
      ];
    },
  },
  {
    name: "a payout failed and holds its commissions",
    damage: async (sql, { commissions: { pending }, payouts, runs }) => {
      await sql`update payouts set status = 'failed' where id = ${payouts.pending}`;
      return [
        `commission_payout: ${commission(pending)}`,
        `payout_amount: ${payout(payouts.pending)}`,
        `entry_once: ${payout(payouts.pending)}`,
        totalsOf(runs.first),
      ];
    },
  },
  {
    name: "a payout's period",
    damage: async (sql, { payouts: { later } }) => {
      await sql`update payouts set period = '1999-12' where id = ${later}`;
      return [`payout_run: ${payout(later)}`];
    },
  },
  {
    name: "a payout of no run",
    damage: async (sql, { payouts: { later }, runs }) => {
      const run_id = randomUUID();
      await sql`update payouts set run_id = ${run_id} where id = ${later}`;
      return [`payout_run: ${payout(later)}`, totalsOf(runs.second), totalsOf(run_id)];
    },
  },
  {
    name: "a second payout in a run",
    damage: async (sql, { payouts: { failed }, runs }) => {
      const [first] = await sql`select * from payouts where id = ${failed}`;
      const id = "ffffffff-ffff-7fff-8fff-ffffffffffff";
      await sql`insert into payouts ${sql({ ...first, id, run_id: runs.first } as never)}`;
      return [`payout_once: ${payout(id)}`, `entry_once: ${payout(id)}`, totalsOf(runs.first)];
    },
  },
  {
    name: "a payout below the minimum",
    damage: async (sql, { payouts: { later }, runs }) => {
      await sql`update payout_runs set minimum_payouts = '{"USD": "801"}' where id = ${runs.second}`;
      return [`payout_minimum: ${payout(later)}`];
    },
  },
  {
    name: "a payout to an affiliate who was not chosen",
    damage: async (sql, { runs }) => {
      await sql`
        update payout_runs set number = 2, affiliate_ids = ${[randomUUID()]}::uuid[] where id = ${runs.second}`;
      const rows = await sql<{ id: string }[]>`select id from payouts where run_id = ${runs.second}`;
      return rows.map(({ id }) => `payout_chosen: ${payout(id)}`);
    },
  },
  {
    name: "more than was confirmed",
    damage: async (sql, { runs }) => {
      await sql`
        update payout_runs set confirmed = '{"USD": {"payouts": 9, "amount_minor": "1"}}' where id = ${runs.second}`;
      return [`run_confirmed: payout run ${runs.second}`];
    },
  },
  {
    name: "two runs of a period",
    damage: async (sql, { context: { organization }, runs }) => {
      const [first] = await sql`select * from payout_runs where id = ${runs.first}`;
      const id = "ffffffff-ffff-7fff-8fff-ffffffffffff";
      await sql`insert into payout_runs ${sql({ ...first, id, organization_id: organization.id } as never)}`;
      return [`run_period: payout run ${id}`];
    },
  },
  {
    name: "a run that nobody goes on with",
    damage: async (sql, { runs: { second } }) => {
      await sql`
        update payout_runs set created_at = created_at - interval '2 hours', finished_at = null, due_at = now()
        where id = ${second}`;
      return [`run_unfinished: payout run ${second}`];
    },
  },
  {
    name: "a run's number of payouts",
    damage: async (sql, { runs: { first } }) => {
      await sql`update payout_run_totals set payouts = payouts + 1 where run_id = ${first} and status = 'paid'`;
      return [totalsOf(first)];
    },
  },
  {
    name: "totals of a run are gone",
    damage: async (sql, { runs: { first, second } }) => {
      await sql`delete from payout_run_totals where run_id in (${first}, ${second})`;
      return [totalsOf(first), totalsOf(second)];
    },
  },
];

export const damages: readonly Damage[] = [
  ...of_entries,
  ...of_commissions,
  ...of_adjustments,
  ...of_payouts,
  ...of_payments,
  ...of_decisions,
  ...of_leads,
];
