-- Sums of payout runs, and the stored preview of the next run.

-- The payouts of a run by currency and status, in parts: each statement that writes payouts adds the differences that it
-- makes, so that none waits for another one's sums. `foldRunTotals` merges the parts. No foreign keys: rows are only
-- written from those of payouts.
create table payout_run_totals (
  organization_id uuid not null,
  number bigint generated always as identity,
  run_id uuid not null,
  currency text not null,
  status text not null,
  payouts integer not null,
  amount_minor bigint not null,
  primary key (organization_id, run_id, number)
);

-- A new payout adds to its status, and a move takes it from one status to the other.
create function add_run_totals() returns trigger language plpgsql as $$
begin
  insert into payout_run_totals (organization_id, run_id, currency, status, payouts, amount_minor)
  select organization_id, run_id, currency, status, count(*), sum(amount_minor)
  from added where run_id is not null group by organization_id, run_id, currency, status;
  return null;
end
$$;

create function change_run_totals() returns trigger language plpgsql as $$
begin
  insert into payout_run_totals (organization_id, run_id, currency, status, payouts, amount_minor)
  select organization_id, run_id, currency, status, sum(sign), sum(sign * amount_minor)
  from (
    select organization_id, run_id, currency, status, amount_minor, -1 as sign from former
    union all
    select organization_id, run_id, currency, status, amount_minor, 1 from changed
  ) as difference
  where run_id is not null group by organization_id, run_id, currency, status having sum(sign) <> 0;
  return null;
end
$$;

create trigger run_totals_added after insert on payouts
  referencing new table as added for each statement execute function add_run_totals();
create trigger run_totals_changed after update on payouts
  referencing old table as former new table as changed for each statement execute function change_run_totals();

insert into payout_run_totals (organization_id, run_id, currency, status, payouts, amount_minor)
select organization_id, run_id, currency, status, count(*), sum(amount_minor)
from payouts where run_id is not null group by organization_id, run_id, currency, status;

-- The payouts of a run by status.
create index payouts_run_status on payouts (organization_id, run_id, status, id) where run_id is not null;

-- The preview of an organization's next run, as it was at `captured_at`. Classifying 100,000 affiliates takes a second or two, so
-- that filters and pages read stored rows. Unlogged: after a crash the tables are empty, and the next reader fills them.
create unlogged table payout_previews (
  organization_id uuid primary key references organizations (id),
  captured_at timestamptz not null,
  -- The time that capturing took.
  milliseconds integer not null,
  payees integer not null,
  -- `PreviewTotalsRow` in packages/database/src/payouts/previews.ts.
  totals jsonb not null
);

-- An affiliate and a currency with unpaid commissions. A list sorts all of an organization's rows, 40 ms for 100,000: an index for
-- each order would take more time to write than it saves. No foreign keys: rows are only written from unpaid commissions.
create unlogged table payout_preview_rows (
  organization_id uuid not null,
  affiliate_id uuid not null,
  currency text not null,
  outcome text not null,
  due_minor bigint not null,
  -- The commissions in due_minor.
  payment_count integer not null,
  held_minor bigint not null,
  -- When all of held_minor is due; null: nothing is held.
  held_until timestamptz,
  primary key (organization_id, affiliate_id, currency)
);
