-- Background work: the workers, the shards that they own, and jobs. The first two belong to no organization.

-- Running workers. A worker that does not renew its lease is dead, and others take over its jobs.
create table workers (
  id uuid primary key,
  -- The ids that lock jobs of graphile-worker for it.
  queue_worker_ids text[] not null default '{}',
  started_at timestamptz not null,
  -- The last renewal, with these ids: nobody holds jobs that another id locked before it.
  renewed_at timestamptz not null default now(),
  alive_until timestamptz not null
);

-- Background work is divided into 32 shards. One running job at a time owns a shard, and names its token in every
-- statement; a new owner increments the token, and the former owner can neither read nor complete work any more.
create table shards (
  shard smallint primary key,
  token bigint not null
);

insert into shards (shard, token) select shard, 0 from generate_series(0, 31) as shard;

-- The shard of an organization's work: inbound webhooks, lookups, promo codes, mails, payout runs, replays. Deliveries
-- have the shard of their endpoint.
create function shard_of(organization_id uuid) returns smallint language sql immutable parallel safe
  return (get_byte(uuid_send(organization_id), 15) % 32)::smallint;

-- Long work that people start in the dashboard: exports, imports, checks. A worker runs it in steps.
create table jobs (
  organization_id uuid not null references organizations (id),
  id uuid not null,
  -- A name in `packages/domain/src/job-kinds.ts`.
  kind text not null check (kind ~ '^[a-z_]{1,40}$'),
  state text not null check (state in ('running', 'finished', 'failed', 'canceled')),
  input json not null,
  -- Where the next step continues, as the kind writes it; null: at the start.
  position json,
  -- Lines, rows or checks that are done, and all of them if their number is known.
  done integer not null default 0,
  total integer,
  -- What the job has counted so far, as the kind writes it: {"created": 412}.
  result json,
  -- The suggested name of the result file; null: the kind writes none.
  file_name text check (file_name ~ '^[A-Za-z0-9.-]{1,100}$'),
  -- The size of the result file in bytes.
  file_bytes bigint not null default 0,
  -- When the files were deleted.
  files_deleted_at timestamptz,
  -- The actor, as in the audit log.
  started_by text not null,
  created_at timestamptz not null,
  finished_at timestamptz,
  -- The next step; null: finished.
  due_at timestamptz default now(),
  -- Steps in a row that failed, and why the last one did.
  failures integer not null default 0,
  reason text,
  primary key (organization_id, id),
  check ((state = 'running') = (due_at is not null)),
  check ((state = 'running') = (finished_at is null))
);

create index jobs_due on jobs (organization_id, due_at) where due_at is not null;
create index jobs_finished on jobs (finished_at) where finished_at is not null;
create index jobs_old_files on jobs (finished_at) where files_deleted_at is null;
create index jobs_with_files on jobs (organization_id, finished_at) where files_deleted_at is null;
-- The last job of a kind.
create index jobs_kind on jobs (organization_id, kind, id);

-- The files of jobs, in parts: each step reads one part of the input and writes one of the result.
create table job_files (
  organization_id uuid not null,
  job_id uuid not null,
  file text not null check (file in ('input', 'result')),
  part integer not null,
  content text not null,
  primary key (organization_id, job_id, file, part),
  foreign key (organization_id, job_id) references jobs (organization_id, id) on delete cascade
);

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
