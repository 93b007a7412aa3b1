-- Events, who subscribed to them, and what is still to be delivered to whom.

-- The order of the events feed. An id or a timestamp is given out before its transaction commits, so a
-- reader that goes on after the newest one it saw would miss what commits later with an older one. The
-- transaction's own number has a horizon (`pg_snapshot_xmin`) below which nothing can appear any more.
-- A restore into another cluster starts those numbers again; the service sees at its start that the table
-- holds positions that are still to come, and `xid_offset` then lifts the new ones above them.
create table event_clock (
  one boolean primary key default true check (one),
  xid_offset bigint not null
);

insert into event_clock (xid_offset) values (0);

create table events (
  organization_id uuid not null,
  id uuid not null,
  type text not null check (type in
    ('affiliate.created', 'affiliate.approved', 'referral.created', 'referral.converted', 'commission.created')),
  -- The bytes that every subscriber gets, frozen. Text: jsonb would reorder the keys.
  body text not null,
  -- Order in the feed: the writing transaction's number plus event_clock.xid_offset.
  position bigint not null,
  created_at timestamptz not null,
  primary key (organization_id, id)
);

create index events_position on events (organization_id, position, id);

create table endpoints (
  organization_id uuid not null references organizations (id),
  id uuid not null,
  url text not null,
  -- Null: every type, those of later versions too.
  event_types text[] check (cardinality(event_types) > 0),
  description text not null,
  -- AES-256-GCM under SECRETS_KEY.
  secret_encrypted bytea not null,
  enabled boolean not null,
  created_at timestamptz not null,
  primary key (organization_id, id)
);

-- One row per event and subscribed endpoint, written in the transaction of the event. No foreign key to
-- the endpoint: its check would lock that one row in every change of the organization, and the rows are
-- made by a select from endpoints of the same organization.
create table deliveries (
  organization_id uuid not null,
  event_id uuid not null,
  endpoint_id uuid not null,
  state text not null check (state in ('pending', 'delivered', 'exhausted')),
  next_attempt_at timestamptz,
  created_at timestamptz not null,
  primary key (organization_id, event_id, endpoint_id),
  foreign key (organization_id, event_id) references events (organization_id, id)
);

-- Answers of changes that carried an Idempotency-Key, written in the transaction of the change.
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
