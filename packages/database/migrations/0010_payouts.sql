-- Payout runs with their sums, payouts, and the stored preview of the next run.

-- A run creates one payout per affiliate and currency from everything that is due at its cutoff.
create table payout_runs (
  organization_id uuid not null references organizations (id),
  id uuid not null,
  period text not null check (period ~ '^[0-9]{4}-(0[1-9]|1[0-2])$'),
  -- Commissions that were created later or are held beyond it wait for the next run.
  cutoff_at timestamptz not null,
  -- The organization's settings when the run started.
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  minimum_payouts jsonb not null default '{}' check (is_minimum_payouts(minimum_payouts)),
  method text not null check (method in ('manual', 'paypal', 'wise')),
  -- An API key, or the payout day.
  started_by text not null,
  created_at timestamptz not null,
  finished_at timestamptz,
  -- The next attempt; null: finished.
  due_at timestamptz default now(),
  -- Attempts that failed, and why the last one did.
  failures integer not null default 0,
  reason text,
  primary key (organization_id, id),
  check ((finished_at is null) = (due_at is not null))
);

-- Each period has one run; an interrupted run continues.
create unique index payout_runs_period on payout_runs (organization_id, period);
create index payout_runs_due on payout_runs (organization_id, due_at) where due_at is not null;

create trigger not_in_test_data after insert on payout_runs
  referencing new table as added for each statement execute function refuse_in_test_data();

create table payouts (
  organization_id uuid not null,
  id uuid not null,
  affiliate_id uuid not null,
  affiliate_name text not null,
  payout_email text,
  amount_minor bigint not null,
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  period text not null check (period ~ '^[0-9]{4}-(0[1-9]|1[0-2])$'),
  payment_count integer not null check (payment_count > 0),
  method text not null check (method in ('manual', 'paypal', 'wise')),
  run_id uuid,
  status text not null check (status in ('pending', 'processing', 'paid', 'failed', 'canceled')),
  -- The time and the source of the latest status.
  status_at timestamptz not null,
  status_by text not null,
  -- Why it failed or was canceled.
  status_reason text,
  created_at timestamptz not null,
  foreign key (organization_id, affiliate_id) references affiliates (organization_id, id),
  constraint payouts_run foreign key (organization_id, run_id) references payout_runs (organization_id, id),
  constraint payouts_amount check (amount_minor > 0)
);

create index payouts_affiliate on payouts (organization_id, affiliate_id, id);
create index payouts_status on payouts (organization_id, status, id);
create index payouts_period on payouts (organization_id, period, id);
-- A run pays an affiliate once per currency, even if it is repeated or runs in two places.
create unique index payouts_run on payouts (organization_id, run_id, affiliate_id, currency) where run_id is not null;
-- After those above: of indexes that cost the same while a table is small, Postgres takes the newest, and cached plans keep
-- it.
alter table payouts add primary key (organization_id, id);
-- The payouts of a run by status.
create index payouts_run_status on payouts (organization_id, run_id, status, id) where run_id is not null;
-- The list of all payouts in a currency, by status.
create index payouts_currency on payouts (organization_id, currency, status, id);

create trigger never_deleted before delete or truncate on payouts
  for each statement execute function never_changes();
create trigger never_changes
  before update of affiliate_id, amount_minor, currency, period, payment_count, run_id on payouts
  for each statement execute function never_changes();
create trigger not_in_test_data after insert on payouts
  referencing new table as added for each statement execute function refuse_in_test_data();

-- The commissions of payouts that are pending, processing or paid. The key begins with the affiliate, so that the rows
-- of a payout are stored together; by commission ids alone, which span all times, each row would go to another page.
-- No foreign keys: commissions and payouts are never deleted, and the rows are written from both. Checks would look up
-- the same payout once for each of its commissions.
create table payout_commissions (
  organization_id uuid not null,
  affiliate_id uuid not null,
  commission_id uuid not null,
  payout_id uuid not null,
  primary key (organization_id, affiliate_id, commission_id)
);

create index payout_commissions_payout on payout_commissions (organization_id, payout_id);

create trigger never_changes before update or truncate on payout_commissions
  for each statement execute function never_changes();

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
