-- Rows that break a rule of the ledger, as a check found them that a person started: a job of the kind `ledger_check`.
create table ledger_findings (
  organization_id uuid not null,
  job_id uuid not null,
  -- From 1.
  number integer not null,
  -- The rule, as a sentence.
  rule text not null,
  level text not null check (level in ('damage', 'warning')),
  -- The row, by its kind and id.
  subject text not null,
  finding text not null,
  primary key (organization_id, job_id, number),
  foreign key (organization_id, job_id) references jobs (organization_id, id) on delete cascade
);

-- The last job of a kind.
create index jobs_kind on jobs (organization_id, kind, id);
