-- Payment processors: how an organization is connected to them, and the messages that they send.

create table processors (
  organization_id uuid not null references organizations (id),
  name text not null check (name in ('stripe', 'generic')),
  -- What their messages are signed with. AES-256-GCM under SECRETS_KEY, as endpoints' secrets are.
  secret_encrypted bytea not null,
  -- After a rotation messages signed with the former secret are good, too, until then.
  previous_secret_encrypted bytea,
  previous_secret_expires_at timestamptz,
  -- With it promotion codes are made and missing events read; null: neither.
  api_key_encrypted bytea,
  api_key_last_four text,
  -- Whether it is about real money. Messages of the other mode are skipped.
  livemode boolean not null,
  created_at timestamptz not null,
  -- The last time that its events were read from end to end, and where a reading that is under way stands:
  -- it began then, goes back to `reconcile_since`, and is done with everything down to `reconcile_after`.
  reconciled_at timestamptz,
  reconcile_started_at timestamptz,
  reconcile_since timestamptz,
  reconcile_after text,
  primary key (organization_id, name),
  check ((previous_secret_encrypted is null) = (previous_secret_expires_at is null)),
  check ((api_key_encrypted is null) = (api_key_last_four is null)),
  check ((reconcile_started_at is null) = (reconcile_since is null))
);

-- Every message as it came, stored before anything is made of it. No foreign key to the connection: its check
-- would lock that one row for each message, and a message is stored only after its signature was found good.
create table processor_messages (
  organization_id uuid not null,
  processor text not null check (processor in ('stripe', 'generic')),
  -- The processor's own: the same message again is the same row.
  id text not null,
  type text not null,
  body text not null,
  -- received: due at next_attempt_at. done, skipped (it says nothing for us): the end. parked: nobody can make
  -- it out, or it failed too often; somebody must look at it.
  state text not null check (state in ('received', 'done', 'skipped', 'parked')),
  -- Why it was skipped or parked, or why the last attempt failed.
  reason text,
  -- Attempts that failed.
  attempts integer not null default 0,
  next_attempt_at timestamptz,
  -- As the processor says.
  occurred_at timestamptz not null,
  received_at timestamptz not null,
  came_by text not null check (came_by in ('webhook', 'reconciliation')),
  primary key (organization_id, processor, id),
  check ((state = 'received') = (next_attempt_at is not null))
);

-- Whose messages are due, organization by organization, and which of them first.
create index processor_messages_due on processor_messages (organization_id, next_attempt_at)
  where state = 'received';
create index processor_messages_parked on processor_messages (organization_id, received_at, processor, id)
  where state = 'parked';
-- The log, and what is old enough to go.
create index processor_messages_received on processor_messages (organization_id, received_at, processor, id);

-- Each row is updated once, within seconds: what is dead must go soon, or workers read through it.
alter table processor_messages set (
  fillfactor = 90, autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_insert_scale_factor = 0.05,
  autovacuum_analyze_scale_factor = 0.05);

-- Promotion codes at the processor, made from the campaign's coupon. `external_id` is null until there is one.
alter table affiliate_codes
  -- What the code `external_id` was made as: the text that customers type, and the coupon that it gives.
  add column external_code text,
  add column external_coupon text,
  -- It was made there by hand: it is not ours to deactivate.
  add column external_linked boolean not null default false,
  -- When to see to it that the processor has this code; null: it has, or that failed for good.
  add column external_due_at timestamptz,
  -- The request that makes it, the same one until an answer came.
  add column external_request_id uuid,
  add column external_attempts integer not null default 0,
  -- Why there is none.
  add column external_error text;

update affiliate_codes set external_due_at = created_at where kind = 'promo';

alter table affiliate_codes add constraint affiliate_codes_external check (kind = 'promo' or external_due_at is null);

create index affiliate_codes_external_due on affiliate_codes (organization_id, external_due_at)
  where external_due_at is not null;
create index affiliate_codes_external_error on affiliate_codes (organization_id, id)
  where external_error is not null;
