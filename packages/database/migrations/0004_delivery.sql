-- How events reach their subscribers: whose turn it is, what was tried, how endpoints fare, who works on it.

alter table endpoints
  -- After a rotation the former secret signs, too, until then.
  add column previous_secret_encrypted bytea,
  add column previous_secret_expires_at timestamptz,
  add column disabled_at timestamptz,
  -- `gone`: it answered 410. `failing`: every delivery failed for days.
  add column disabled_reason text check (disabled_reason in ('operator', 'gone', 'failing'));

update endpoints set disabled_at = created_at, disabled_reason = 'operator' where not enabled;

alter table endpoints
  add constraint endpoints_disabled check (enabled = (disabled_at is null)),
  add constraint endpoints_disabled_reason check (enabled = (disabled_reason is null)),
  add constraint endpoints_previous_secret check
    ((previous_secret_encrypted is null) = (previous_secret_expires_at is null));

-- Keys of an organization's staff, for what the dashboard does.
alter table api_keys
  drop constraint api_keys_kind_check,
  add constraint api_keys_kind_check check (kind in ('secret', 'publishable', 'staff')),
  drop constraint api_keys_scopes_check,
  add constraint api_keys_scopes_check check (scopes <@ array['read', 'write', 'track', 'staff']),
  add constraint api_keys_staff check
    (kind <> 'staff' or (scopes = array['staff'] and expires_at is not null));

-- Sent to try an endpoint out: it tells of nothing that happened, so the feed does not show it.
alter table events add column test boolean not null default false;

-- Who is told when an endpoint was disabled.
alter table organizations add column owner_emails text[] not null default '{}';

-- scheduled: due at next_attempt_at. waiting: due, in its endpoint's line. sending: claimed by a worker.
-- delivered, exhausted, canceled: the end, until somebody asks for it again.
alter table deliveries
  drop constraint deliveries_state_check,
  -- Written with the event, in the same statement; the check would cost a look-up for each row.
  drop constraint deliveries_organization_id_event_id_fkey,
  -- Attempts made so far.
  add column attempts integer not null default 0,
  -- Attempts of these that failed since the schedule began: where it stands in the schedule.
  add column failures integer not null default 0,
  add column last_attempt_at timestamptz,
  -- The worker that sends it. Only that one may settle it, and only while it is still named here.
  add column claimed_by uuid;

update deliveries set state = 'scheduled' where state = 'pending';

alter table deliveries
  add constraint deliveries_state check
    (state in ('scheduled', 'waiting', 'sending', 'delivered', 'exhausted', 'canceled')),
  add constraint deliveries_scheduled check ((state = 'scheduled') = (next_attempt_at is not null)),
  add constraint deliveries_sending check ((state = 'sending') = (claimed_by is not null));

create index deliveries_due on deliveries (next_attempt_at) where next_attempt_at is not null;
create index deliveries_claimed on deliveries (claimed_by) where claimed_by is not null;
-- An endpoint's line, and its log.
create index deliveries_endpoint on deliveries (organization_id, endpoint_id, state, event_id);

-- A queue's rows are updated a few times within seconds: what is dead must go soon, or claims read through it.
alter table deliveries set (
  fillfactor = 80, autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_insert_scale_factor = 0.05,
  autovacuum_analyze_scale_factor = 0.05);

-- Apart from endpoints, which every change reads: this is written by every failure.
create table endpoint_health (
  organization_id uuid not null,
  endpoint_id uuid not null,
  -- Failed attempts in a row.
  failures integer not null default 0,
  -- The first and the last of these.
  failing_since timestamptz,
  last_failed_at timestamptz,
  -- When to look at the endpoint's line again, or to probe it. Null: it has no line.
  line_due_at timestamptz,
  primary key (organization_id, endpoint_id),
  foreign key (organization_id, endpoint_id) references endpoints (organization_id, id) on delete cascade
);

create index endpoint_health_line_due on endpoint_health (line_due_at) where line_due_at is not null;

-- Every attempt, in a partition per day, dropped whole when it is old. The worker makes the partitions.
create table attempts (
  organization_id uuid not null,
  event_id uuid not null,
  endpoint_id uuid not null,
  attempted_at timestamptz not null,
  number integer not null,
  duration_milliseconds integer not null,
  -- Of the answer; null when there was none.
  status integer,
  error_code text,
  error_message text,
  response text not null,
  primary key (organization_id, event_id, endpoint_id, number, attempted_at)
) partition by range (attempted_at);

-- Running workers. One that does not renew its lease is dead, and what it claimed is given to others.
create table workers (
  id uuid primary key,
  -- The names under which it locks jobs of graphile-worker.
  queue_worker_ids text[] not null default '{}',
  started_at timestamptz not null,
  alive_until timestamptz not null
);

-- Deliveries that are made again for a range of time, step by step.
create table replays (
  organization_id uuid not null,
  id uuid not null,
  endpoint_id uuid not null,
  -- failed: deliveries that ended without success. missed: these, and events that had no delivery.
  kind text not null check (kind in ('failed', 'missed')),
  events_from timestamptz not null,
  events_to timestamptz not null,
  -- Everything up to this event is done.
  after_event_id uuid,
  deliveries integer not null default 0,
  created_at timestamptz not null,
  finished_at timestamptz,
  primary key (organization_id, id),
  foreign key (organization_id, endpoint_id) references endpoints (organization_id, id) on delete cascade
);

create index replays_running on replays (created_at) where finished_at is null;
