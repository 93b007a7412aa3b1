-- The service itself. These tables belong to no organization.

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

-- A known text, encrypted under SECRETS_KEY: distinguishes a damaged secret from a wrong key. The first start writes it.
create table secrets_key_check (
  one boolean primary key default true check (one),
  sealed bytea not null
);
