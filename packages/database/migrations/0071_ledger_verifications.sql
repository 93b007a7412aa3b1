-- compatible since 0070
-- The nightly check of each organization's ledger, by the workers.

create table ledger_verifications (
  organization_id uuid primary key references organizations (id),
  -- When the last check began, whether or not it was completed.
  attempted_at timestamptz not null,
  -- The last complete one, of this number of rules; null: none yet.
  checked_at timestamptz,
  rules integer not null default 0,
  -- Rows that break a rule, and rows to look at, as it found them.
  damaged integer not null default 0,
  warnings integer not null default 0,
  -- The first of them: [{"rule", "level", "subject", "finding"}].
  findings json not null default '[]' check (json_typeof(findings) = 'array'),
  -- Why a later attempt was not completed; null: none failed since.
  reason text
);

create index ledger_verifications_attempted_at on ledger_verifications (attempted_at);
