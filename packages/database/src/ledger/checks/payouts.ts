import { dueAt } from "../due.ts";
import { type LedgerCheck, ofAsked } from "./check.ts";

/* Rules about payouts and payout runs. */

const PAYOUT_AMOUNT: LedgerCheck = {
  name: "payout_amount",
  rule: "A payout has the sum and the number of its commissions and adjustments; a failed or canceled payout has none.",
  level: "damage",
  text: `
    select payout.organization_id, 'payout ' || payout.id as subject,
      format('it is %s, with %s for %s lines, and has %s that add up to %s', status, amount_minor,
        payment_count, coalesce(held.count, 0), coalesce(held.sum_minor, 0)) as finding
    from payouts payout
    left join (
      select placed.organization_id, placed.payout_id, count(*) as count, sum(commission_minor) as sum_minor
      from payout_commissions placed
      join payable_lines line
        on line.organization_id = placed.organization_id and line.id = placed.commission_id
      where ${ofAsked("placed")}
      group by placed.organization_id, placed.payout_id
    ) as held on held.organization_id = payout.organization_id and held.payout_id = payout.id
    where ${ofAsked("payout")}
      and case when status in ('failed', 'canceled') then held.count > 0
        else coalesce(held.count, 0) <> payment_count or coalesce(held.sum_minor, 0) <> amount_minor end`,
};

const PAYOUT_POSITIVE: LedgerCheck = {
  name: "payout_positive",
  rule: "The amount of a payout is positive.",
  level: "damage",
  text: `
    select organization_id, 'payout ' || id as subject, format('it is %s', amount_minor) as finding
    from payouts payout where amount_minor <= 0 and ${ofAsked("payout")}`,
};

const PAYOUT_AFFILIATE: LedgerCheck = {
  name: "payout_affiliate",
  rule: "A payout belongs to an existing affiliate of its organization.",
  level: "damage",
  text: `
    select organization_id, 'payout ' || id as subject, format('there is no affiliate %s', affiliate_id) as finding
    from payouts payout
    where ${ofAsked("payout")} and not exists (
      select from affiliates affiliate
      where affiliate.organization_id = payout.organization_id and affiliate.id = payout.affiliate_id)`,
};

const PAYOUT_ONCE: LedgerCheck = {
  name: "payout_once",
  rule: "A run has one payout for each affiliate and currency.",
  level: "damage",
  text: `
    select organization_id, 'payout ' || id as subject,
      format('payout %s of run %s is of affiliate %s in %s, too', first, run_id, affiliate_id, currency)
        as finding
    from (
      select organization_id, id, run_id, affiliate_id, currency, first_value(id) over (
        partition by organization_id, run_id, affiliate_id, currency order by id) as first
      from payouts payout where run_id is not null and ${ofAsked("payout")}
    ) as payout
    where id <> first`,
};

const PAYOUT_RUN: LedgerCheck = {
  name: "payout_run",
  rule: "The run of a payout exists and has the payout's period.",
  level: "damage",
  text: `
    select payout.organization_id, 'payout ' || payout.id as subject,
      case when run.id is null then format('there is no run %s', payout.run_id)
        else format('it is of %s, and run %s of %s', payout.period, run.id, run.period) end as finding
    from payouts payout
    left join payout_runs run on run.organization_id = payout.organization_id and run.id = payout.run_id
    where payout.run_id is not null and ${ofAsked("payout")}
      and (run.id is null or run.period <> payout.period)`,
};

const PAYOUT_MINIMUM: LedgerCheck = {
  name: "payout_minimum",
  rule: "A payout reaches its run's minimum in its currency.",
  level: "damage",
  text: `
    select payout.organization_id, 'payout ' || payout.id as subject,
      format('it is %s, and the minimum of run %s is %s', amount_minor, run.id, minimum_payouts ->> payout.currency)
        as finding
    from payouts payout
    join payout_runs run on run.organization_id = payout.organization_id and run.id = payout.run_id
    where ${ofAsked("payout")} and amount_minor < (minimum_payouts ->> payout.currency)::bigint`,
};

const PAYOUT_DUE: LedgerCheck = {
  name: "payout_due",
  rule: "A run pays only commissions and adjustments that were due at its cutoff.",
  level: "damage",
  text: `
    select line.organization_id, line.noun || ' ' || line.id as subject,
      format('it is due at %s, and run %s pays those due at %s', ${dueAt("line")}, run.id, cutoff_at)
        as finding
    from payout_runs run
    join payouts payout on payout.organization_id = run.organization_id and payout.run_id = run.id
    join payout_commissions placed
      on placed.organization_id = payout.organization_id and placed.payout_id = payout.id
    join payable_lines line
      on line.organization_id = placed.organization_id and line.id = placed.commission_id
    where ${ofAsked("run")} and ${dueAt("line")} > cutoff_at`,
};

const PAYOUT_CHOSEN: LedgerCheck = {
  name: "payout_chosen",
  rule: "A run of chosen affiliates pays only these.",
  level: "damage",
  text: `
    select payout.organization_id, 'payout ' || payout.id as subject,
      format('run %s pays other affiliates than %s', run.id, payout.affiliate_id) as finding
    from payouts payout
    join payout_runs run on run.organization_id = payout.organization_id and run.id = payout.run_id
    where ${ofAsked("payout")} and payout.affiliate_id <> all (run.affiliate_ids)`,
};

/** Payouts that failed since are in the sums, too. */
const RUN_CONFIRMED: LedgerCheck = {
  name: "run_confirmed",
  rule: "A run creates no more payouts than were confirmed, and pays no more.",
  level: "damage",
  text: `
    select organization_id, 'payout run ' || run_id as subject,
      string_agg(format('it has %s payouts of %s %s; confirmed were %s', payouts, amount_minor, currency,
        coalesce(confirmed ->> currency, 'none')), '; ' order by currency) as finding
    from (
      select payout.organization_id, payout.run_id, payout.currency, count(*) as payouts,
        sum(payout.amount_minor) as amount_minor, run.confirmed
      from payouts payout
      join payout_runs run on run.organization_id = payout.organization_id and run.id = payout.run_id
      where run.confirmed is not null and ${ofAsked("payout")}
      group by payout.organization_id, payout.run_id, payout.currency, run.confirmed
    ) as created
    where payouts > coalesce((confirmed -> currency ->> 'payouts')::bigint, 0)
      or amount_minor > coalesce((confirmed -> currency ->> 'amount_minor')::bigint, 0)
    group by organization_id, run_id`,
};

const RUN_PERIOD: LedgerCheck = {
  name: "run_period",
  rule: "A period has one run with a number.",
  level: "damage",
  text: `
    select organization_id, 'payout run ' || id as subject,
      format('run %s is number %s of %s, too', first, number, period) as finding
    from (
      select organization_id, id, period, number,
        first_value(id) over (partition by organization_id, period, number order by id) as first
      from payout_runs run where ${ofAsked("run")}
    ) as run
    where id <> first`,
};

const RUN_UNFINISHED: LedgerCheck = {
  name: "run_unfinished",
  rule: "A run finishes within an hour while a worker is running.",
  level: "warning",
  text: `
    select organization_id, 'payout run ' || id as subject,
      format('it began at %s and is not finished', coalesce(decided_at, created_at)) as finding
    from payout_runs run
    where due_at is not null and coalesce(decided_at, created_at) < now() - interval '1 hour' and ${ofAsked("run")}`,
};

/** Sums of statuses that a run had once, and has no more, are zero. */
const RUN_TOTALS: LedgerCheck = {
  name: "run_totals",
  rule: "The totals of a run are the number and the sum of its payouts, by currency and status.",
  level: "damage",
  text: `
    select organization_id, 'payout run ' || run_id as subject,
      string_agg(format('it has %s %s payouts in %s too many, and %s too much', payouts, status, currency,
        amount_minor), '; ' order by currency, status) as finding
    from (
      select organization_id, run_id, currency, status, sum(payouts) as payouts, sum(amount_minor) as amount_minor
      from (
        select organization_id, run_id, currency, status, payouts, amount_minor
        from payout_run_totals total where ${ofAsked("total")}
        union all
        select organization_id, run_id, currency, status, -1, -amount_minor
        from payouts payout where run_id is not null and ${ofAsked("payout")}
      ) as line
      group by organization_id, run_id, currency, status
      having sum(payouts) <> 0 or sum(amount_minor) <> 0
    ) as difference
    group by organization_id, run_id`,
};

export const payout_checks: readonly LedgerCheck[] = [
  PAYOUT_AMOUNT,
  PAYOUT_POSITIVE,
  PAYOUT_AFFILIATE,
  PAYOUT_ONCE,
  PAYOUT_RUN,
  PAYOUT_MINIMUM,
  PAYOUT_DUE,
  PAYOUT_CHOSEN,
  RUN_CONFIRMED,
  RUN_PERIOD,
  RUN_UNFINISHED,
  RUN_TOTALS,
];
