-- Ended deliveries by the hour of their events, for histograms: docs/totals.md. The hours before `deliveries_until` are in
-- delivery_hours; later ones are counted from attempts. A week of hours is counted first, one hour a turn.

alter table total_seals
  add column deliveries_until timestamptz not null default date_trunc('hour', now(), 'UTC') - interval '7 days';
alter table total_seals alter column deliveries_until set default date_trunc('hour', now(), 'UTC');

-- Deliveries of an endpoint by an hour of UTC: those that arrived, and those that ended otherwise. No foreign key: rows are only
-- written from those of attempts.
create table delivery_hours (
  organization_id uuid not null,
  hour timestamptz not null,
  endpoint_id uuid not null,
  delivered bigint not null,
  failed bigint not null,
  primary key (organization_id, hour, endpoint_id)
);

-- Differences of hours that may be counted already. Nothing ever waits here: rows are only added, and the worker deletes
-- those that it has added to delivery_hours. No foreign keys: their checks would lock endpoints for each delivery.
create table delivery_changes (
  organization_id uuid not null,
  hour timestamptz not null,
  endpoint_id uuid not null,
  number bigint generated always as identity,
  delivered bigint not null,
  failed bigint not null,
  primary key (organization_id, hour, endpoint_id, number)
);

-- The time in a UUIDv7.
create function time_of_id(id uuid) returns timestamptz language sql immutable parallel safe
return to_timestamp(('x' || translate(left(id::text, 13), '-', ''))::bit(48)::bigint / 1000.0);

-- Deliveries that are retried, replayed or arrive after they were canceled: their last attempt had ended them. Attempts that end a
-- delivery are inserted, and add their differences in the same statement.
create function change_delivery_hours() returns trigger language plpgsql as $$
begin
  insert into delivery_changes (organization_id, hour, endpoint_id, delivered, failed)
  select organization_id, hour, endpoint_id, sum(delivered), sum(failed)
  from (
    select organization_id, date_trunc('hour', time_of_id(event_id), 'UTC') as hour, endpoint_id,
      -(ended = 'delivered')::int as delivered, -(ended <> 'delivered')::int as failed
    from former where ended is not null
    union all
    select organization_id, date_trunc('hour', time_of_id(event_id), 'UTC'), endpoint_id,
      (ended = 'delivered')::int, (ended <> 'delivered')::int
    from changed where ended is not null
  ) as difference
  where hour < now() - interval '90 minutes'
  group by organization_id, hour, endpoint_id having sum(delivered) <> 0 or sum(failed) <> 0;
  return null;
end
$$;

create trigger hours_changed after update on attempts
  referencing old table as former new table as changed for each statement execute function change_delivery_hours();
