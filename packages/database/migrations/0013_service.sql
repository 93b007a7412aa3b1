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
