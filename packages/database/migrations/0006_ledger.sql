-- The ledger: entries that never change, balances that sum them up, and the commissions that are still owed.

-- Whether an entry changes only the amounts that its kind may change, and names what its kind requires.
create function is_ledger_entry(kind text, commission_id uuid, payout_id uuid, commission_ids uuid[],
  unpaid_minor bigint, in_payout_minor bigint, paid_minor bigint) returns boolean
language plpgsql immutable as $$
begin
  if payout_id is null then
    return commission_id is not null and commission_ids is null and in_payout_minor = 0 and paid_minor = 0
      and case kind when 'earned' then unpaid_minor >= 0 when 'restored' then unpaid_minor >= 0
        when 'reduced' then unpaid_minor < 0 when 'reversed' then unpaid_minor < 0
        else kind = 'voided' end;
  end if;
  return commission_id is null and unpaid_minor + in_payout_minor + paid_minor = 0
    and case kind when 'put_into_payout' then commission_ids is not null and paid_minor = 0
      when 'taken_out' then commission_ids is null and paid_minor = 0
      when 'paid' then commission_ids is null and unpaid_minor = 0
      else false end;
end
$$;

-- Every change of an affiliate's money: of one commission, or of a payout with all its commissions. Never changed, never
-- deleted. No foreign keys: entries are written from rows that are never deleted, and each check would add 7 µs, 5 % of
-- the insert of a commission.
create table ledger_entries (
  organization_id uuid not null,
  number bigint generated always as identity,
  affiliate_id uuid not null,
  currency text not null,
  commission_id uuid,
  payout_id uuid,
  -- The commissions of the payout, in the entry that creates it.
  commission_ids uuid[],
  kind text not null,
  -- The change of each of the three amounts.
  unpaid_minor bigint not null default 0,
  in_payout_minor bigint not null default 0,
  paid_minor bigint not null default 0,
  -- The payment, refund, request or payout run that caused it.
  cause text not null,
  created_at timestamptz not null default clock_timestamp(),
  primary key (organization_id, number),
  -- A function, because each statement parses the text of a check again, and functions are cached.
  constraint ledger_entries_kind check (is_ledger_entry(kind, commission_id, payout_id, commission_ids,
    unpaid_minor, in_payout_minor, paid_minor))
);

create index ledger_entries_affiliate on ledger_entries (organization_id, affiliate_id, number);

create trigger never_changes before update or delete or truncate on ledger_entries
  for each statement execute function never_changes();

-- The sum of an affiliate's entries in a currency: earned - lost = unpaid + in_payout + paid.
create table balances (
  organization_id uuid not null,
  affiliate_id uuid not null,
  currency text not null,
  earned_minor bigint not null default 0,
  -- Reduced, voided and reversed, less what was restored.
  lost_minor bigint not null default 0,
  unpaid_minor bigint not null default 0,
  in_payout_minor bigint not null default 0,
  paid_minor bigint not null default 0,
  primary key (organization_id, affiliate_id, currency),
  foreign key (organization_id, affiliate_id) references affiliates (organization_id, id),
  check (earned_minor - lost_minor = unpaid_minor + in_payout_minor + paid_minor),
  check (earned_minor >= 0)
) with (fillfactor = 70);

-- The commissions that are in no payout and not voided, with what decides when they are due. No foreign key: rows are
-- written from commissions, which are never deleted, and the check would add 5 % to the insert of a commission.
create table unpaid_commissions (
  organization_id uuid not null,
  commission_id uuid not null,
  affiliate_id uuid not null,
  currency text not null,
  commission_minor bigint not null,
  payable_at timestamptz not null,
  created_at timestamptz not null,
  primary key (organization_id, commission_id)
);

create index unpaid_commissions_affiliate on unpaid_commissions (organization_id, affiliate_id, currency, payable_at)
  include (commission_minor, created_at);

-- For tables that only triggers may write.
create function written_by_triggers() returns trigger language plpgsql as $$
begin
  if pg_trigger_depth() = 1 then
    raise exception '%: written by triggers only', tg_table_name using errcode = 'integrity_constraint_violation';
  end if;
  return null;
end
$$;

create trigger written_by_triggers before insert or update or delete or truncate on unpaid_commissions
  for each statement execute function written_by_triggers();
create trigger written_by_triggers before insert or delete on payout_commissions
  for each statement execute function written_by_triggers();

-- Commissions with their payout status. Each part is looked up by its key (`offset 0`): with joins, the planner would
-- compare all rows of an organization without statistics with each other.
create view commission_states as
select commission.*, placed.payout_id,
  case when commission.voided then 'voided' when placed.payout_id is null then 'not_paid'
    when payout.status = 'paid' then 'paid' else 'pending' end as payout_status
from commissions commission
left join lateral (
  select payout_id from payout_commissions
  where organization_id = commission.organization_id and affiliate_id = commission.affiliate_id
    and commission_id = commission.id
  offset 0
) as placed on true
left join lateral (
  select status from payouts where organization_id = commission.organization_id and id = placed.payout_id offset 0
) as payout on true;

-- Adds entries to balances, in the order of their keys, so that concurrent statements never deadlock.
create function balances_of_ledger_entries() returns trigger language plpgsql as $$
begin
  insert into balances as balance (organization_id, affiliate_id, currency, earned_minor, lost_minor,
    unpaid_minor, in_payout_minor, paid_minor)
  select organization_id, affiliate_id, currency,
    coalesce(sum(unpaid_minor) filter (where kind = 'earned'), 0),
    -coalesce(sum(unpaid_minor) filter (where kind in ('reduced', 'restored', 'voided', 'reversed')), 0),
    sum(unpaid_minor), sum(in_payout_minor), sum(paid_minor)
  from added
  group by organization_id, affiliate_id, currency
  order by organization_id, affiliate_id, currency
  on conflict (organization_id, affiliate_id, currency) do update
  set earned_minor = balance.earned_minor + excluded.earned_minor,
    lost_minor = balance.lost_minor + excluded.lost_minor,
    unpaid_minor = balance.unpaid_minor + excluded.unpaid_minor,
    in_payout_minor = balance.in_payout_minor + excluded.in_payout_minor,
    paid_minor = balance.paid_minor + excluded.paid_minor;
  return null;
end
$$;

create trigger balances after insert on ledger_entries
  referencing new table as added for each statement execute function balances_of_ledger_entries();
