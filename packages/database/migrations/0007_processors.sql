-- Payment processors: connections, with how they fare, and inbound webhooks.

create table processors (
  organization_id uuid not null references organizations (id),
  name text not null check (name in ('stripe', 'generic')),
  -- The secret that signs the processor's messages. AES-256-GCM under SECRETS_KEY.
  secret_encrypted bytea not null,
  -- The secret before the last rotation, valid until it expires.
  previous_secret_encrypted bytea,
  previous_secret_expires_at timestamptz,
  -- Creates promotion codes and reads missed events; null: neither.
  api_key_encrypted bytea,
  api_key_last_four text,
  -- False: test mode. Messages of the other mode are skipped.
  livemode boolean not null,
  -- Stripe Connect: events of connected accounts reach the platform's endpoint, too. Those of other accounts than these
  -- are skipped.
  connected_accounts text[] not null default '{}' check (name = 'stripe' or connected_accounts = '{}'),
  created_at timestamptz not null,

  -- When a reconciliation last read all of the processor's events. The current one began at `reconcile_started_at`, goes
  -- back to `reconcile_since`, and is complete down to `reconcile_after`.
  reconciled_at timestamptz,
  reconcile_started_at timestamptz,
  reconcile_since timestamptz,
  reconcile_after text,

  -- The event types that our webhook endpoint at Stripe lacks. Null: unknown. Empty: none.
  events_checked_at timestamptz,
  missing_events text[],
  -- Why the last check failed.
  events_check_error text,

  -- When somebody asked for a reconciliation; null once it has ended.
  reconcile_requested_at timestamptz(3),
  -- The missed events that the last reconciliation imported; null: there was none.
  reconciled_events integer,
  -- Why the last reconciliation failed; null: it did not.
  reconcile_error text,
  -- The last message that was refused, for example because of its signature. Written at most every ten seconds.
  refused_at timestamptz,
  refused_reason text,

  primary key (organization_id, name),
  check ((previous_secret_encrypted is null) = (previous_secret_expires_at is null)),
  check ((api_key_encrypted is null) = (api_key_last_four is null)),
  check ((reconcile_started_at is null) = (reconcile_since is null)),
  constraint processors_refused check ((refused_at is null) = (refused_reason is null))
);

-- Every message as received, stored before it is processed. No foreign key: messages stay when the connection is
-- deleted.
create table processor_messages (
  organization_id uuid not null,
  processor text not null check (processor in ('stripe', 'generic')),
  -- The processor's id: a repeated message is the same row.
  id text not null,
  type text not null,
  body text not null,
  -- The connected account that it belongs to, which fetches of its objects name; null: the organization's own.
  account text,
  -- received: pending. done, skipped (of no use to us): finished. parked: unreadable, or failed too often;
  -- somebody must look at it.
  state text not null check (state in ('received', 'done', 'skipped', 'parked')),
  -- Why it was skipped or parked, or why the last attempt failed.
  reason text,
  failures integer not null default 0,
  -- The next attempt; null: finished, or dead-lettered.
  due_at timestamptz,
  -- The processor's time of the event.
  occurred_at timestamptz not null,
  received_at timestamptz not null,
  source text not null check (source in ('webhook', 'reconciliation', 'lookup')),
  primary key (organization_id, processor, id),
  check ((state = 'received') = (due_at is not null))
) with (
  -- Each row is updated once, within seconds. Early vacuums remove the old versions before workers slow down on them.
  fillfactor = 90, autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_insert_scale_factor = 0.05,
  autovacuum_analyze_scale_factor = 0.05
);

-- Due messages of an organization, oldest first, and the organizations that have some.
create index processor_messages_due on processor_messages (organization_id, due_at) where due_at is not null;
-- The log by processor, and its retention. The last message of a connection is its first row.
create index processor_messages_received on processor_messages (organization_id, processor, received_at, id);
create index processor_messages_parked on processor_messages (organization_id, processor, received_at, id)
  where state = 'parked';
-- Those of no use are rare, and most are stored as such: others write nothing here.
create index processor_messages_skipped on processor_messages (organization_id, processor, received_at, id)
  where state = 'skipped';
