-- The ledger: entries that never change, balances that sum them up, and the commissions that are still owed.

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
  -- Each commission adds an entry, so indexes are few: an affiliate's entries are listed by number.
  primary key (organization_id, affiliate_id, number)
);

-- A commission's story. Ids ascend, so that new entries go to the last page of the index.
create index ledger_entries_commission on ledger_entries (organization_id, commission_id)
  where commission_id is not null;
create index ledger_entries_payout on ledger_entries (organization_id, payout_id) where payout_id is not null;

create trigger never_changes before update or delete or truncate on ledger_entries
  for each statement execute function never_changes();

-- The sum of an affiliate's entries in a currency: earned - lost = unpaid + in_payout + paid.
create table balances (
  organization_id uuid not null,
  affiliate_id uuid not null,
  currency text not null,
  earned_minor bigint not null default 0,
  -- Reduced, voided and reversed, less the amounts restored.
  lost_minor bigint not null default 0,
  unpaid_minor bigint not null default 0,
  in_payout_minor bigint not null default 0,
  paid_minor bigint not null default 0,
  primary key (organization_id, affiliate_id, currency),
  foreign key (organization_id, affiliate_id) references affiliates (organization_id, id),
  -- One check: each statement parses the text of each.
  check (earned_minor - lost_minor = unpaid_minor + in_payout_minor + paid_minor and earned_minor >= 0)
) with (fillfactor = 70);

-- The commissions that are in no payout and not voided. No foreign key: rows are
-- written from commissions, which are never deleted, and the check would add 5 % to the insert of a commission.
create table unpaid_commissions (
  organization_id uuid not null,
  commission_id uuid not null,
  affiliate_id uuid not null,
  currency text not null,
  commission_minor bigint not null,
  -- The moment from which a payout run takes it: `dueAt` in packages/database/src/ledger/due.ts.
  due_at timestamptz not null,
  primary key (organization_id, commission_id)
);

create index unpaid_commissions_due on unpaid_commissions (organization_id, affiliate_id, currency, due_at)
  include (commission_minor);

create trigger never_truncated before truncate on unpaid_commissions
  for each statement execute function never_changes();

-- The payout status of a commission, from its payout, if it is in one, and that payout's status.
create function payout_status(voided boolean, payout_id uuid, status text) returns text language sql immutable
return case when voided then 'voided' when payout_id is null then 'not_paid' when status = 'paid' then 'paid'
  else 'pending' end;

-- Commissions with their payout status. Each part is looked up by its key (`offset 0`): with joins, the planner would
-- compare all rows of an organization without statistics with each other.
create view commission_states as
select commission.*, placed.payout_id, payout_status(commission.voided, placed.payout_id, payout.status) as payout_status
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
