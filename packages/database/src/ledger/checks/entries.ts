import { type LedgerCheck, ofAsked } from "./check.ts";

/*
 * Rules about entries, alone and summed. Sums are compared by adding the expected amounts with the opposite sign: one
 * pass over each table, which also finds rows that exist on one side only.
 */

const COMMISSION_ENTRIES: LedgerCheck = {
  name: "commission_entries",
  rule: "The entries of a commission add up to its amount, or to 0 if it is voided.",
  level: "damage",
  text: `
    select organization_id, 'commission ' || commission_id as subject,
      format('for affiliate %s in %s they have %s too much', affiliate_id, currency, sum(minor)) as finding
    from (
      select organization_id, commission_id, affiliate_id, currency, unpaid_minor as minor
      from ledger_entries entry
      where commission_id is not null and kind not in ('adjusted', 'withdrawn') and ${ofAsked("entry")}
      union all
      select organization_id, id, affiliate_id, currency, -commission_minor
      from commissions commission where not voided and ${ofAsked("commission")}
    ) as line
    group by organization_id, commission_id, affiliate_id, currency
    having sum(minor) <> 0`,
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

const ADJUSTMENT_ENTRIES: LedgerCheck = {
  name: "adjustment_entries",
  rule: "The entries of an adjustment add up to its amount, or to 0 if it is withdrawn.",
  level: "damage",
  text: `
    select organization_id, 'adjustment ' || id as subject,
      format('for affiliate %s in %s they have %s too much', affiliate_id, currency, sum(minor)) as finding
    from (
      select organization_id, commission_id as id, affiliate_id, currency, unpaid_minor as minor
      from ledger_entries entry where kind in ('adjusted', 'withdrawn') and ${ofAsked("entry")}
      union all
      select organization_id, id, affiliate_id, currency, -amount_minor
      from adjustments adjustment where not voided and ${ofAsked("adjustment")}
    ) as line
    group by organization_id, id, affiliate_id, currency
    having sum(minor) <> 0`,
};

const ENTRY_COMMISSION: LedgerCheck = {
  name: "entry_commission",
  rule: "The commissions and adjustments of an entry exist.",
  level: "damage",
  text: `
    select organization_id, 'entry ' || number as subject,
      format('there is no commission or adjustment %s', commission_id) as finding
    from (
      select organization_id, number, commission_id from ledger_entries entry
      where commission_id is not null and ${ofAsked("entry")}
      union all
      select organization_id, number, unnest(commission_ids) from ledger_entries entry
      where commission_ids is not null and ${ofAsked("entry")}
    ) as entry
    where not exists (
        select from commissions commission
        where commission.organization_id = entry.organization_id and commission.id = entry.commission_id)
      and not exists (
        select from adjustments adjustment
        where adjustment.organization_id = entry.organization_id and adjustment.id = entry.commission_id)`,
};

const ENTRY_KIND: LedgerCheck = {
  name: "entry_kind",
  rule: "An entry refers to a commission or a payout and changes balances as its kind requires.",
  level: "damage",
  text: `
    select organization_id, 'entry ' || number as subject,
      format('it is %s, with %s unpaid, %s in a payout, %s paid, %s and %s', kind, unpaid_minor, in_payout_minor,
        paid_minor, coalesce('commission ' || commission_id, 'no commission'),
        coalesce('payout ' || payout_id, 'no payout')) as finding
    from ledger_entries entry
    where ${ofAsked("entry")} and not (
      (commission_id is null) = (payout_id is not null)
      and (payout_id is not null) = (kind in ('put_into_payout', 'taken_out', 'paid', 'returned'))
      and (commission_ids is not null) = (kind = 'put_into_payout')
      and case kind
        when 'earned' then unpaid_minor > 0 and in_payout_minor = 0 and paid_minor = 0
        when 'reduced' then unpaid_minor < 0 and in_payout_minor = 0 and paid_minor = 0
        when 'restored' then unpaid_minor >= 0 and in_payout_minor = 0 and paid_minor = 0
        when 'voided' then in_payout_minor = 0 and paid_minor = 0
        when 'reversed' then unpaid_minor < 0 and in_payout_minor = 0 and paid_minor = 0
        when 'adjusted' then unpaid_minor <> 0 and in_payout_minor = 0 and paid_minor = 0
        when 'withdrawn' then unpaid_minor <> 0 and in_payout_minor = 0 and paid_minor = 0
        when 'put_into_payout' then unpaid_minor + in_payout_minor = 0 and paid_minor = 0
        when 'taken_out' then unpaid_minor + in_payout_minor = 0 and paid_minor = 0
        when 'paid' then unpaid_minor = 0 and in_payout_minor + paid_minor = 0
        when 'returned' then unpaid_minor + paid_minor = 0 and in_payout_minor = 0
        else false
      end)`,
};

const ENTRY_PAYOUT: LedgerCheck = {
  name: "entry_payout",
  rule: "An entry of a payout has the payout's affiliate and currency.",
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

const ENTRY_ONCE: LedgerCheck = {
  name: "entry_once",
  rule: "A payout has one entry that allocates its amount, and one that releases or pays it, as its status requires; if the money came back, one that pays it and one that returns it.",
  level: "damage",
  text: `
    select payout.organization_id, 'payout ' || payout.id as subject,
      format('it is %s, of %s; put into it were %s in %s entries, taken out %s in %s, paid %s in %s, returned %s in %s',
        status, amount_minor, coalesce(put_minor, 0), coalesce(put, 0), coalesce(taken_minor, 0), coalesce(taken, 0),
        coalesce(step.paid_minor, 0), coalesce(paid, 0), coalesce(returned_minor, 0), coalesce(returned, 0))
        as finding
    from payouts payout
    left join (
      select organization_id, payout_id,
        count(*) filter (where kind = 'put_into_payout') as put,
        sum(in_payout_minor) filter (where kind = 'put_into_payout') as put_minor,
        count(*) filter (where kind = 'taken_out') as taken,
        sum(unpaid_minor) filter (where kind = 'taken_out') as taken_minor,
        count(*) filter (where kind = 'paid') as paid, sum(paid_minor) filter (where kind = 'paid') as paid_minor,
        count(*) filter (where kind = 'returned') as returned,
        sum(unpaid_minor) filter (where kind = 'returned') as returned_minor
      from ledger_entries entry
      where payout_id is not null and ${ofAsked("entry")}
      group by organization_id, payout_id
    ) as step on step.organization_id = payout.organization_id and step.payout_id = payout.id
    where ${ofAsked("payout")} and (
      (coalesce(put, 0), coalesce(taken, 0) + coalesce(returned, 0), coalesce(paid, 0)) is distinct from
        (1, case when status in ('failed', 'canceled') then 1 else 0 end,
          case when status = 'paid' then 1 when status = 'failed' then coalesce(returned, 0) else 0 end)
      or put_minor <> amount_minor or taken_minor <> amount_minor or step.paid_minor <> amount_minor
      or returned_minor <> amount_minor)`,
};

const ENTRY_COMMISSIONS: LedgerCheck = {
  name: "entry_commissions",
  rule: "A payout contains the commissions that its entry allocates, until it releases them.",
  level: "damage",
  text: `
    select put.organization_id, 'payout ' || put.payout_id as subject,
      format('%s lines were put into it; %s of them are in it, and %s others', cardinality(put.commission_ids),
        coalesce(held.as_put, 0), coalesce(held.count - held.as_put, 0)) as finding
    from ledger_entries put
    join payouts payout on payout.organization_id = put.organization_id and payout.id = put.payout_id
    left join lateral (
      select count(*) as count, count(*) filter (where commission_id = any (put.commission_ids)) as as_put
      from payout_commissions placed
      where placed.organization_id = put.organization_id and placed.payout_id = put.payout_id
    ) as held on true
    where put.kind = 'put_into_payout' and payout.status not in ('failed', 'canceled') and ${ofAsked("put")}
      and (held.as_put <> cardinality(put.commission_ids) or held.count <> held.as_put)`,
};

const BALANCE_ENTRIES: LedgerCheck = {
  name: "balance_entries",
  rule: "A balance is the sum of the entries of its affiliate and currency.",
  level: "damage",
  text: `
    select organization_id, 'balance of affiliate ' || affiliate_id || ' in ' || currency as subject,
      format('it has %s too much earned, %s lost, %s adjusted, %s unpaid, %s in payouts, %s paid', sum(earned_minor),
        sum(lost_minor), sum(adjusted_minor), sum(unpaid_minor), sum(in_payout_minor), sum(paid_minor)) as finding
    from (
      select organization_id, affiliate_id, currency, earned_minor, lost_minor, adjusted_minor, unpaid_minor,
        in_payout_minor, paid_minor
      from balances balance where ${ofAsked("balance")}
      union all
      select organization_id, affiliate_id, currency,
        case kind when 'earned' then -unpaid_minor else 0 end,
        case when kind in ('reduced', 'restored', 'voided', 'reversed') then unpaid_minor else 0 end,
        case when kind in ('adjusted', 'withdrawn') then -unpaid_minor else 0 end,
        -unpaid_minor, -in_payout_minor, -paid_minor
      from ledger_entries entry where ${ofAsked("entry")}
    ) as line
    group by organization_id, affiliate_id, currency
    having sum(earned_minor) <> 0 or sum(lost_minor) <> 0 or sum(adjusted_minor) <> 0 or sum(unpaid_minor) <> 0
      or sum(in_payout_minor) <> 0 or sum(paid_minor) <> 0`,
};

const BALANCE_SUM: LedgerCheck = {
  name: "balance_sum",
  rule: "Earnings minus reductions plus adjustments are unpaid, in a payout or paid.",
  level: "damage",
  text: `
    select organization_id, 'balance of affiliate ' || affiliate_id || ' in ' || currency as subject,
      format('earned %s, lost %s, adjusted %s, unpaid %s, in payouts %s, paid %s', earned_minor, lost_minor,
        adjusted_minor, unpaid_minor, in_payout_minor, paid_minor) as finding
    from balances balance
    where earned_minor - lost_minor + adjusted_minor <> unpaid_minor + in_payout_minor + paid_minor and ${ofAsked("balance")}`,
};

const BALANCE_COMMISSIONS: LedgerCheck = {
  name: "balance_commissions",
  rule: "A balance is the sum of its affiliate's commissions and adjustments in its currency: unpaid, in payouts and paid.",
  level: "damage",
  text: `
    select organization_id, 'balance of affiliate ' || affiliate_id || ' in ' || currency as subject,
      format('it has %s too much unpaid, %s in payouts, %s paid', sum(unpaid_minor), sum(in_payout_minor),
        sum(paid_minor)) as finding
    from (
      select organization_id, affiliate_id, currency, unpaid_minor, in_payout_minor, paid_minor
      from balances balance where ${ofAsked("balance")}
      union all
      select organization_id, affiliate_id, currency,
        case payout_status when 'not_paid' then -commission_minor else 0 end,
        case payout_status when 'pending' then -commission_minor else 0 end,
        case payout_status when 'paid' then -commission_minor else 0 end
      from commission_states commission where payout_status <> 'voided' and ${ofAsked("commission")}
      union all
      select organization_id, affiliate_id, currency,
        case payout_status when 'not_paid' then -amount_minor else 0 end,
        case payout_status when 'pending' then -amount_minor else 0 end,
        case payout_status when 'paid' then -amount_minor else 0 end
      from adjustment_states adjustment where payout_status <> 'voided' and ${ofAsked("adjustment")}
    ) as line
    group by organization_id, affiliate_id, currency
    having sum(unpaid_minor) <> 0 or sum(in_payout_minor) <> 0 or sum(paid_minor) <> 0`,
};

export const entry_checks: readonly LedgerCheck[] = [
  COMMISSION_ENTRIES,
  COMMISSION_WITHOUT_ENTRIES,
  ADJUSTMENT_ENTRIES,
  ENTRY_COMMISSION,
  ENTRY_KIND,
  ENTRY_PAYOUT,
  ENTRY_ONCE,
  ENTRY_COMMISSIONS,
  BALANCE_ENTRIES,
  BALANCE_SUM,
  BALANCE_COMMISSIONS,
];
