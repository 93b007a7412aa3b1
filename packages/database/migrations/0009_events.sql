-- Events and their order in the feed, and idempotency keys.

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

-- Responses of requests with an Idempotency-Key, written in the transaction of the change. No foreign key, as in
-- events.
create table idempotency_keys (
  organization_id uuid not null,
  key text not null,
  -- SHA-256 of the operation and its input: the same key with another request is a conflict.
  request_hash bytea not null,
  response text not null,
  created_at timestamptz not null,
  primary key (organization_id, key)
);

create index idempotency_keys_created_at on idempotency_keys (created_at);
