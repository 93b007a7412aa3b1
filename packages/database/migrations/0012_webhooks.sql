-- Events and their order in the feed, and outbound webhooks: endpoints, pending deliveries, the log of attempts, replays.
--
-- A pending delivery is a row of a small queue that does not say which worker sends it; a finished one is the last row of
-- its attempts. Endpoints hash to the 32 shards of the service, each of which one worker owns.

-- The order of the events feed. Ids and timestamps are assigned before their transaction commits, so a reader that
-- continues after the newest one would miss events that commit later with an older one. Transaction numbers have a
-- horizon (`pg_snapshot_xmin`) below which no event can appear any more. A restore into another cluster starts these
-- numbers again; the service notices at its start that the table has positions ahead of them, and adds `xid_offset` to
-- new ones.
create table event_clock (
  one boolean primary key default true check (one),
  xid_offset bigint not null
);

insert into event_clock (xid_offset) values (0);

-- No foreign key: every change writes an event, and the check would lock the organization's one row each time. With eight
-- clients, inserts then reach three quarters of their rate. The changed resource, written in the same transaction, has one.
create table events (
  organization_id uuid not null,
  id uuid not null,
  type text not null check (type in
    ('affiliate.created', 'affiliate.approved', 'referral.created', 'referral.converted', 'commission.created')),
  -- The bytes that every subscriber receives. Text: jsonb would reorder the keys.
  body text not null,
  -- The number of the transaction that wrote it, plus event_clock.xid_offset.
  position bigint not null,
  -- True: sent to test an endpoint, about nothing that happened. The feed leaves it out.
  test boolean not null default false,
  created_at timestamptz not null,
  primary key (organization_id, id)
);

create index events_position on events (organization_id, position, id);

create table endpoints (
  organization_id uuid not null references organizations (id),
  id uuid not null,
  shard smallint not null generated always as (get_byte(uuid_send(id), 15) % 32) stored,
  url text not null,
  description text not null,
  -- Null: every type, including those of later versions.
  event_types text[] check (cardinality(event_types) > 0),
  -- Null: events of all campaigns, and those without one. No foreign key: Postgres has none for arrays, and campaigns
  -- are never deleted.
  campaign_ids uuid[] check (cardinality(campaign_ids) > 0),
  -- Null: no limit.
  requests_per_second integer check (requests_per_second between 1 and 1000),
  -- True: one delivery at a time, oldest event first.
  ordered boolean not null default false,
  -- [{"name", "updated_at"}]
  custom_headers jsonb not null default '[]',
  -- Their values by name as JSON, AES-256-GCM under SECRETS_KEY.
  custom_headers_encrypted bytea,
  enabled boolean not null,
  disabled_at timestamptz,
  -- `gone`: it answered 410. `failing`: every delivery failed for days. `secret`: its signing secret or its custom headers
  -- cannot be decrypted.
  disabled_reason text check (disabled_reason in ('operator', 'gone', 'failing', 'secret')),
  created_at timestamptz not null,
  primary key (organization_id, id),
  constraint endpoints_custom_headers check
    ((custom_headers_encrypted is null) = (jsonb_array_length(custom_headers) = 0)),
  constraint endpoints_disabled check (enabled = (disabled_at is null)),
  constraint endpoints_disabled_reason check (enabled = (disabled_reason is null))
);

-- Signing secrets. An endpoint has any number of valid ones, each with its own expiry.
create table endpoint_secrets (
  organization_id uuid not null,
  endpoint_id uuid not null,
  id uuid not null,
  -- AES-256-GCM under SECRETS_KEY.
  secret_encrypted bytea not null,
  created_at timestamptz not null,
  -- Null: the current secret. The others sign, too, until then.
  expires_at timestamptz,
  primary key (organization_id, endpoint_id, id),
  foreign key (organization_id, endpoint_id) references endpoints (organization_id, id) on delete cascade
);

create unique index endpoint_secrets_current on endpoint_secrets (organization_id, endpoint_id)
  where expires_at is null;
create index endpoint_secrets_expires_at on endpoint_secrets (expires_at) where expires_at is not null;

-- Failures, apart from endpoints: every change reads endpoints, and every failure writes here. Probes follow from these
-- columns.
create table endpoint_health (
  organization_id uuid not null,
  endpoint_id uuid not null,
  -- Consecutive failed attempts.
  failures integer not null default 0,
  -- The first and the last of these.
  failing_since timestamptz,
  last_failed_at timestamptz,
  primary key (organization_id, endpoint_id),
  foreign key (organization_id, endpoint_id) references endpoints (organization_id, id) on delete cascade
);

-- One row per event and endpoint until the delivery ends. No foreign keys: the insert selects the endpoint and writes
-- the event in the same statement, and a check of the endpoint would lock its one row in every change of the organization.
-- Workers cancel deliveries of deleted endpoints.
create table pending_deliveries (
  shard smallint not null,
  organization_id uuid not null,
  endpoint_id uuid not null,
  event_id uuid not null,
  -- 0: new events and manual retries. 1: replays, which wait for the others.
  priority smallint not null default 0,
  -- The next attempt.
  due_at timestamptz not null,
  -- Attempts so far.
  attempts integer not null default 0,
  -- Failed attempts since the retry schedule started: the position in it.
  failures integer not null default 0,
  last_attempt_at timestamptz,
  created_at timestamptz not null,
  -- The log of an endpoint, newest event first.
  primary key (organization_id, endpoint_id, event_id)
) with (
  -- Rows live for milliseconds. Early vacuums remove dead ones before reads slow down on them.
  autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_insert_scale_factor = 0.05,
  autovacuum_analyze_scale_factor = 0.05
);

-- The next deliveries of an endpoint, and the endpoints of a shard with due ones.
create index pending_deliveries_due
  on pending_deliveries (shard, organization_id, endpoint_id, priority, due_at);

-- Every attempt, in partitions of a day that the worker creates, and drops when they are old. No foreign keys: attempts
-- stay when their endpoint or their event is deleted.
create table attempts (
  organization_id uuid not null,
  event_id uuid not null,
  endpoint_id uuid not null,
  attempted_at timestamptz not null,
  number integer not null,
  -- Null: not an attempt; the delivery was canceled.
  duration_milliseconds integer,
  -- The status of the response; null: there was none.
  status integer,
  error_code text,
  error_message text,
  response text not null,
  -- The final state of the delivery, which ended with this row; null: it continued.
  ended text check (ended in ('delivered', 'exhausted', 'canceled')),
  primary key (organization_id, event_id, endpoint_id, number, attempted_at)
) partition by range (attempted_at);

create index attempts_ended on attempts (organization_id, endpoint_id, ended, event_id) where ended is not null;
-- Those of all endpoints that did not arrive. Deliveries that do write nothing here.
create index attempts_failed on attempts (organization_id, ended, event_id, endpoint_id)
  where ended in ('exhausted', 'canceled');

-- Every delivery that is pending or in the log.
create view deliveries as
  select organization_id, event_id, endpoint_id, 'pending' as state, attempts, failures, last_attempt_at,
    due_at as next_attempt_at, created_at
  from pending_deliveries
  union all
  select organization_id, event_id, endpoint_id, ended, number, 0,
    case when duration_milliseconds is not null then attempted_at end, null, attempted_at
  from attempts where ended is not null;

-- Replays repeat an endpoint's deliveries of a period, step by step.
create table replays (
  organization_id uuid not null,
  id uuid not null,
  endpoint_id uuid not null,
  -- failed: deliveries that ended without success. missed: these, and events that had no delivery.
  kind text not null check (kind in ('failed', 'missed')),
  events_from timestamptz not null,
  events_to timestamptz not null,
  -- The last event that is done. No foreign key: events are deleted when they are old.
  after_event_id uuid,
  deliveries integer not null default 0,
  created_at timestamptz not null,
  finished_at timestamptz,
  -- When somebody stopped it.
  stopped_at timestamptz,
  -- The next step; null: finished.
  due_at timestamptz default now(),
  -- Steps in a row that failed, and why the last one did.
  failures integer not null default 0,
  reason text,
  primary key (organization_id, id),
  foreign key (organization_id, endpoint_id) references endpoints (organization_id, id) on delete cascade,
  check ((finished_at is null) = (due_at is not null))
);

create index replays_due on replays (organization_id, due_at) where due_at is not null;
