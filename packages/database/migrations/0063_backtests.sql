-- Drafts of commissions that were tried on past payments. The job has the draft, and its progress; the worker writes nothing else.
create table backtests (
  organization_id uuid not null,
  -- Of its job.
  id uuid not null,
  -- What it has found so far beside the totals, in the form of `Findings`: counts, and the payments that differ most.
  findings jsonb not null default '{}',
  created_at timestamptz not null,
  primary key (organization_id, id),
  foreign key (organization_id, id) references jobs (organization_id, id) on delete cascade
);

create index backtests_created on backtests (created_at);

-- Commissions net of refunds, as they are and as they would be with the draft.
create table backtest_totals (
  organization_id uuid not null,
  backtest_id uuid not null,
  affiliate_id uuid not null,
  -- UTC, of the payments: its first day.
  month date not null,
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  payments integer not null,
  -- Those that the draft decides differently.
  changed integer not null,
  before_minor bigint not null,
  after_minor bigint not null,
  primary key (organization_id, backtest_id, affiliate_id, month, currency),
  foreign key (organization_id, backtest_id) references backtests (organization_id, id) on delete cascade
);
