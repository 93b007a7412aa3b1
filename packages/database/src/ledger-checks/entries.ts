import { type LedgerCheck, ofAsked } from "./check.ts";

/*
 * What entries have to be, each for itself and added up. Sums are compared by adding what should be with the
 * opposite sign: one pass over each table, and rows that one side lacks differ as well.
 */

const COMMISSION_ENTRIES: LedgerCheck = {
  name: "commission_entries",
  rule: "A commission's entries add up to what it is: unpaid, in a payout, paid, or nothing when it is voided.",
  level: "damage",
  text: `
    select organization_id, 'commission ' || commission_id as subject,
      format('for affiliate %s in %s they have %s too much unpaid, %s in a payout, %s paid', affiliate_id,
        currency, sum(unpaid_minor), sum(in_payout_minor), sum(paid_minor)) as finding
    from (
      select organization_id, commission_id, affiliate_id, currency, unpaid_minor, in_payout_minor, paid_minor
      from ledger_entries entry where ${ofAsked("entry")}
      union all
      select organization_id, id, affiliate_id, currency,
        case payout_status when 'not_paid' then -commission_minor else 0 end,
        case payout_status when 'pending' then -commission_minor else 0 end,
        case payout_status when 'paid' then -commission_minor else 0 end
      from commissions commission where payout_status <> 'voided' and ${ofAsked("commission")}
    ) as line
    group by organization_id, commission_id, affiliate_id, currency
    having sum(unpaid_minor) <> 0 or sum(in_payout_minor) <> 0 or sum(paid_minor) <> 0`,
};

const COMMISSION_WITHOUT_ENTRIES: LedgerCheck = {
  name: "commission_without_entries",
  rule: "A commission has entries.",
  level: "damage",
  text: `
    select organization_id, 'commission ' || id as subject, 'it has none' as finding
    from commissions commission
    where ${ofAsked("commission")} and not exists (
      select from ledger_entries entry
      where entry.organization_id = commission.organization_id and entry.commission_id = commission.id)`,
};

const ENTRY_COMMISSION: LedgerCheck = {
  name: "entry_commission",
  rule: "An entry is of a commission that there is.",
  level: "damage",
  text: `
    select organization_id, 'entry ' || number as subject,
      format('there is no commission %s', commission_id) as finding
    from ledger_entries entry
    where ${ofAsked("entry")} and not exists (
      select from commissions commission
      where commission.organization_id = entry.organization_id and commission.id = entry.commission_id)`,
};

const ENTRY_KIND: LedgerCheck = {
  name: "entry_kind",
  rule: "An entry changes only what its kind may change, in the direction that it may.",
  level: "damage",
  text: `
    select organization_id, 'entry ' || number as subject,
      format('it is %s, with %s unpaid, %s in a payout, %s paid, and %s', kind, unpaid_minor, in_payout_minor,
        paid_minor, coalesce('payout ' || payout_id, 'no payout')) as finding
    from ledger_entries entry
    where ${ofAsked("entry")} and not (case kind
      when 'earned' then unpaid_minor > 0 and in_payout_minor = 0 and paid_minor = 0 and payout_id is null
      when 'reduced' then unpaid_minor < 0 and in_payout_minor = 0 and paid_minor = 0 and payout_id is null
      when 'restored' then unpaid_minor >= 0 and in_payout_minor = 0 and paid_minor = 0 and payout_id is null
      when 'voided' then in_payout_minor = 0 and paid_minor = 0 and payout_id is null
      when 'reversed' then unpaid_minor < 0 and in_payout_minor = 0 and paid_minor = 0 and payout_id is null
      when 'put_into_payout'
        then unpaid_minor + in_payout_minor = 0 and paid_minor = 0 and payout_id is not null
      when 'taken_out' then unpaid_minor + in_payout_minor = 0 and paid_minor = 0 and payout_id is not null
      when 'paid' then unpaid_minor = 0 and in_payout_minor + paid_minor = 0 and payout_id is not null
      else false
    end)`,
};

const ENTRY_PAYOUT: LedgerCheck = {
  name: "entry_payout",
  rule: "What is put into a payout, taken out of it or paid names a payout of its affiliate in its currency.",
  level: "damage",
  text: `
    select entry.organization_id, 'entry ' || number as subject,
      case when payout.id is null then format('there is no payout %s', payout_id)
        else format('payout %s is of affiliate %s in %s', payout_id, payout.affiliate_id, payout.currency)
      end as finding
    from ledger_entries entry
    left join payouts payout
      on payout.organization_id = entry.organization_id and payout.id = entry.payout_id
    where entry.payout_id is not null and ${ofAsked("entry")}
      and (payout.id is null or payout.affiliate_id <> entry.affiliate_id or payout.currency <> entry.currency)`,
};

/** By its own payout_id the commission should have been put there once more than taken out; by others, as often. */
const ENTRY_ONCE: LedgerCheck = {
  name: "entry_once",
  rule: "A commission is put once into a payout, and once taken out or paid, as it says itself.",
  level: "damage",
  text: `
    select step.organization_id, 'commission ' || step.commission_id as subject,
      format('payout %s: %s times put into it, %s taken out, %s paid; the commission is %s%s', step.payout_id,
        put, taken, paid, coalesce(payout_status, 'missing'), ' in payout ' || commission.payout_id) as finding
    from (
      select organization_id, commission_id, payout_id,
        count(*) filter (where kind = 'put_into_payout') as put,
        count(*) filter (where kind = 'taken_out') as taken, count(*) filter (where kind = 'paid') as paid
      from ledger_entries entry
      where payout_id is not null and ${ofAsked("entry")}
      group by organization_id, commission_id, payout_id
    ) as step
    left join commissions commission
      on commission.organization_id = step.organization_id and commission.id = step.commission_id
    where put <> 1 or paid + taken > 1
      or put - taken <> case when commission.payout_id = step.payout_id then 1 else 0 end
      or paid <> case when commission.payout_id = step.payout_id and payout_status = 'paid' then 1 else 0 end`,
};

const BALANCE_ENTRIES: LedgerCheck = {
  name: "balance_entries",
  rule: "A balance is what the entries of its affiliate in its currency add up to.",
  level: "damage",
  text: `
    select organization_id, 'balance of affiliate ' || affiliate_id || ' in ' || currency as subject,
      format('it has %s too much earned, %s lost, %s unpaid, %s in payouts, %s paid', sum(earned_minor),
        sum(lost_minor), sum(unpaid_minor), sum(in_payout_minor), sum(paid_minor)) as finding
    from (
      select organization_id, affiliate_id, currency, earned_minor, lost_minor, unpaid_minor, in_payout_minor,
        paid_minor
      from balances balance where ${ofAsked("balance")}
      union all
      select organization_id, affiliate_id, currency,
        case kind when 'earned' then -unpaid_minor else 0 end,
        case when kind in ('reduced', 'restored', 'voided', 'reversed') then unpaid_minor else 0 end,
        -unpaid_minor, -in_payout_minor, -paid_minor
      from ledger_entries entry where ${ofAsked("entry")}
    ) as line
    group by organization_id, affiliate_id, currency
    having sum(earned_minor) <> 0 or sum(lost_minor) <> 0 or sum(unpaid_minor) <> 0
      or sum(in_payout_minor) <> 0 or sum(paid_minor) <> 0`,
};

const BALANCE_SUM: LedgerCheck = {
  name: "balance_sum",
  rule: "What was earned and not lost is unpaid, in a payout or paid.",
  level: "damage",
  text: `
    select organization_id, 'balance of affiliate ' || affiliate_id || ' in ' || currency as subject,
      format('earned %s, lost %s, unpaid %s, in payouts %s, paid %s', earned_minor, lost_minor, unpaid_minor,
        in_payout_minor, paid_minor) as finding
    from balances balance
    where earned_minor - lost_minor <> unpaid_minor + in_payout_minor + paid_minor and ${ofAsked("balance")}`,
};

export const entry_checks: readonly LedgerCheck[] = [
  COMMISSION_ENTRIES,
  COMMISSION_WITHOUT_ENTRIES,
  ENTRY_COMMISSION,
  ENTRY_KIND,
  ENTRY_PAYOUT,
  ENTRY_ONCE,
  BALANCE_ENTRIES,
  BALANCE_SUM,
];
