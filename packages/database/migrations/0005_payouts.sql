-- Payout runs and payouts.

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
-- Last: of indexes that cost the same while a table is small, Postgres takes the newest, and cached plans keep it.
alter table payouts add primary key (organization_id, id);

create trigger never_deleted before delete or truncate on payouts
  for each statement execute function never_changes();
create trigger never_changes
  before update of affiliate_id, amount_minor, currency, period, payment_count, run_id on payouts
  for each statement execute function never_changes();

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
