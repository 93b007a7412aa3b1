-- The delivery engine. A pending delivery is a row of a small queue that never says who sends it; a finished one is the
-- last row of its attempts. Endpoints hash to 32 shards, and one running job at a time owns a shard.

alter table endpoints
  add column shard smallint not null generated always as (get_byte(uuid_send(id), 15) % 32) stored;

-- What is still to be delivered: one row per event and endpoint, deleted when the delivery ends.
create table pending_deliveries (
  shard smallint not null,
  organization_id uuid not null,
  endpoint_id uuid not null,
  event_id uuid not null,
  -- 0: new events and what somebody asks for by hand. 1: replays, which wait for the others.
  priority smallint not null default 0,
  -- The time of the next attempt.
  due_at timestamptz not null,
  -- Attempts made so far.
  attempts integer not null default 0,
  -- Attempts of these that failed since the schedule began: the place in the schedule.
  failures integer not null default 0,
  last_attempt_at timestamptz,
  created_at timestamptz not null,
  -- For the log of an endpoint, newest event first.
  primary key (organization_id, endpoint_id, event_id)
);

-- What an endpoint gets next, and the endpoints of a shard that have something due.
create index pending_deliveries_due
  on pending_deliveries (shard, organization_id, endpoint_id, priority, due_at);

-- Rows live for milliseconds: the dead ones must go soon, or reads pass over them.
alter table pending_deliveries set (
  autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_insert_scale_factor = 0.05,
  autovacuum_analyze_scale_factor = 0.05);

-- A process that reads a shard names its token; a new owner takes a new one, and the former owner reads nothing more.
create table delivery_shards (
  shard smallint primary key,
  token bigint not null
);

insert into delivery_shards (shard, token) select shard, 0 from generate_series(0, 31) as shard;

-- A row without a duration is no attempt: it says that the delivery was canceled.
alter table attempts alter column duration_milliseconds drop not null;
-- The state that the delivery ended in with this row; null: it went on.
alter table attempts add column ended text check (ended in ('delivered', 'exhausted', 'canceled'));
create index attempts_ended on attempts (organization_id, endpoint_id, ended, event_id) where ended is not null;

insert into pending_deliveries
  (shard, organization_id, endpoint_id, event_id, due_at, attempts, failures, last_attempt_at, created_at)
select endpoint.shard, delivery.organization_id, delivery.endpoint_id, delivery.event_id,
  coalesce(delivery.next_attempt_at, now()), delivery.attempts, delivery.failures, delivery.last_attempt_at,
  delivery.created_at
from deliveries delivery
join endpoints endpoint
  on endpoint.organization_id = delivery.organization_id and endpoint.id = delivery.endpoint_id
where delivery.state in ('scheduled', 'waiting', 'sending');

-- Finished deliveries: the last of their attempts ends them. Those without a row of it are older than the log.
update attempts attempt set ended = delivery.state
from deliveries delivery
where delivery.state in ('delivered', 'exhausted', 'canceled')
  and attempt.organization_id = delivery.organization_id and attempt.event_id = delivery.event_id
  and attempt.endpoint_id = delivery.endpoint_id and attempt.attempted_at = delivery.last_attempt_at;

-- Canceled ones that had no attempt get the row that says so, in the partition of today.
do $$
declare today date := (now() at time zone 'UTC')::date;
begin
  if exists (select from deliveries where state = 'canceled' and last_attempt_at is null) then
    execute format('create table if not exists attempts_%s partition of attempts for values from (%L) to (%L)',
      to_char(today, 'YYYY_MM_DD'), today::text || ' 00:00:00+00', (today + 1)::text || ' 00:00:00+00');
    insert into attempts (organization_id, event_id, endpoint_id, attempted_at, number, response, ended)
    select organization_id, event_id, endpoint_id, now(), 0, '', 'canceled'
    from deliveries where state = 'canceled' and last_attempt_at is null;
  end if;
end $$;

drop table deliveries;

-- Every delivery that is pending or in the log.
create view deliveries as
  select organization_id, event_id, endpoint_id, 'pending' as state, attempts, failures, last_attempt_at,
    due_at as next_attempt_at, created_at
  from pending_deliveries
  union all
  select organization_id, event_id, endpoint_id, ended, number, 0,
    case when duration_milliseconds is not null then attempted_at end, null, attempted_at
  from attempts where ended is not null;

-- Probes follow from the failures and the time of the last one.
alter table endpoint_health drop column line_due_at;

alter table replays
  -- Somebody stopped it.
  add column stopped_at timestamptz;
