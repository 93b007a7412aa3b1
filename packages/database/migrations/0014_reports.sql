-- Totals of the dashboard's overview. docs/totals.md defines each of them and how they stay exact.
--
-- Rows count in two parts. What was recorded before `sealed_until` is summed up in hourly_totals and daily_totals; what was
-- recorded later is summed up from the rows themselves whenever totals are read. So recording writes nothing here, and
-- no transaction waits for another one's totals. A later change of a row that was recorded 30 minutes ago or earlier adds
-- the difference to total_changes. A worker seals an hour once it is over for an hour: all transactions that could record
-- a row in it, or change one without adding the difference, have ended by then.
--
-- Totals are summed up again in parts of bounded size, each in a transaction of its own: the new totals are rows of the next
-- generation, and readers see those of `total_seals.generation`. A worker deletes the rows of former generations.

-- The smallest UUIDv7 of a time.
create function first_id_of(at timestamptz) returns uuid language sql immutable parallel safe
return (lpad(to_hex(floor(extract(epoch from at) * 1000)::bigint), 12, '0') || '70008000000000000000')::uuid;

-- The time in a UUIDv7.
create function time_of_id(id uuid) returns timestamptz language sql immutable parallel safe
return to_timestamp(('x' || translate(left(id::text, 13), '-', ''))::bit(48)::bigint / 1000.0);

create table total_seals (
  organization_id uuid primary key references organizations (id),
  -- An hour of UTC.
  sealed_until timestamptz not null,
  -- The time zone of the hours and days, until they are rebuilt after a change of the organization's.
  time_zone text not null,
  -- True: hours and days are computed again, after a change of their time zone or of an affiliate's campaign.
  is_outdated boolean not null default false,
  -- The next turn.
  due_at timestamptz,
  failures integer not null default 0,
  -- Why the last turn failed.
  reason text,
  -- The generation of totals that readers see.
  generation integer not null default 1,
  -- The hours before it are in delivery_hours.
  deliveries_until timestamptz not null default date_trunc('hour', now(), 'UTC')
);

create index total_seals_due on total_seals (organization_id, due_at) where due_at is not null;

-- A campaign's totals of an hour that begins at `hour`, a full hour in the time zone. The currency is ISO 4217's XXX (no
-- currency) in rows that count clicks, sign-ups and conversions, and amounts are in the others, so that no sum mixes two
-- currencies. No foreign keys: rows are only written from those of affiliates.
create table hourly_totals (
  organization_id uuid not null,
  currency text not null,
  hour timestamptz not null,
  campaign_id uuid not null,
  clicks bigint not null,
  signups bigint not null,
  conversions bigint not null,
  revenue_minor bigint not null,
  commission_minor bigint not null,
  lost_minor bigint not null,
  generation integer not null,
  primary key (organization_id, generation, currency, hour, campaign_id),
  constraint hourly_totals_currency check (case currency when 'XXX' then revenue_minor = 0 and commission_minor = 0
    and lost_minor = 0 else clicks = 0 and signups = 0 and conversions = 0 end)
);

-- An affiliate's totals of a day in the time zone; otherwise as hourly_totals. No foreign keys: same.
create table daily_totals (
  organization_id uuid not null,
  currency text not null,
  day date not null,
  affiliate_id uuid not null,
  clicks bigint not null,
  signups bigint not null,
  conversions bigint not null,
  revenue_minor bigint not null,
  commission_minor bigint not null,
  lost_minor bigint not null,
  generation integer not null,
  primary key (organization_id, generation, currency, day, affiliate_id),
  constraint daily_totals_currency check (case currency when 'XXX' then revenue_minor = 0 and commission_minor = 0
    and lost_minor = 0 else clicks = 0 and signups = 0 and conversions = 0 end)
);

-- The next generation of an organization's totals, until it is complete.
create table total_rebuilds (
  organization_id uuid primary key references organizations (id),
  generation integer not null,
  time_zone text not null,
  -- The rows created before this hour are in it, with all changes recorded before `until`.
  summed_until timestamptz not null,
  -- The hour that it will be sealed until. Nothing is sealed before that.
  until timestamptz not null,
  -- Clicks were stored from then on when it began. Totals of older ones are copied.
  first_click timestamptz not null
);

-- Differences that changes of rows make to the totals of the hour of `counted_at`. One counts once `recorded_at`, the
-- time at which its row was recorded, is sealed. Nothing ever waits here: rows are only added, and the worker deletes those that
-- it has added to the totals. No foreign keys: their checks would lock rows that others update.
create table total_changes (
  organization_id uuid not null,
  number bigint generated always as identity,
  affiliate_id uuid not null,
  recorded_at timestamptz not null,
  counted_at timestamptz not null,
  currency text not null,
  signups bigint not null default 0,
  conversions bigint not null default 0,
  revenue_minor bigint not null default 0,
  commission_minor bigint not null default 0,
  -- When the row that the change belongs to was created. Conversions are recorded later than their referrals, and summed up
  -- with them.
  created_at timestamptz not null,
  primary key (organization_id, number)
);

-- All changes of rows that count add their differences here, so that no statement can leave them out. The conditions of the
-- triggers hold for rows that were recorded 30 minutes ago or earlier only: for others, they are all that a trigger costs.

create function change_totals_of_commission() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and not old.voided then
    insert into total_changes (organization_id, affiliate_id, recorded_at, created_at, counted_at, currency,
      revenue_minor, commission_minor)
    values (old.organization_id, old.affiliate_id, old.created_at, old.created_at, old.referral_date, old.currency,
      -old.revenue_minor, -old.commission_minor);
  end if;
  if not new.voided then
    insert into total_changes (organization_id, affiliate_id, recorded_at, created_at, counted_at, currency,
      revenue_minor, commission_minor)
    values (new.organization_id, new.affiliate_id, new.created_at, new.created_at, new.referral_date, new.currency,
      new.revenue_minor, new.commission_minor);
  end if;
  return null;
end
$$;

create trigger total_added after insert on commissions
  for each row when (new.created_at < now() - interval '30 minutes')
  execute function change_totals_of_commission();
create trigger total_changed after update on commissions
  for each row when (old.created_at < now() - interval '30 minutes'
    and (old.affiliate_id, old.revenue_minor, old.commission_minor, old.currency, old.voided, old.referral_date)
      is distinct from
      (new.affiliate_id, new.revenue_minor, new.commission_minor, new.currency, new.voided, new.referral_date))
  execute function change_totals_of_commission();

-- The sign-up and the conversion of a referral that no other one replaced.
create function add_referral_to_totals(referral referrals, sign integer) returns void language plpgsql as $$
begin
  if referral.replaced_at is not null then
    return;
  end if;
  insert into total_changes (organization_id, affiliate_id, recorded_at, created_at, counted_at, currency, signups)
  values (referral.organization_id, referral.affiliate_id, referral.created_at, referral.created_at,
    referral.signup_date, 'XXX', sign);
  if referral.converted_at is not null then
    insert into total_changes (organization_id, affiliate_id, recorded_at, created_at, counted_at, currency,
      conversions)
    values (referral.organization_id, referral.affiliate_id, referral.converted_at, referral.created_at,
      referral.converted_at, 'XXX', sign);
  end if;
end
$$;

create function change_totals_of_referral() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' then
    perform add_referral_to_totals(old, -1);
  end if;
  perform add_referral_to_totals(new, 1);
  return null;
end
$$;

create trigger total_added after insert on referrals
  for each row when (least(new.created_at, new.converted_at) < now() - interval '30 minutes')
  execute function change_totals_of_referral();
-- A conversion alone is recorded at `converted_at`, and changes nothing that was recorded before.
create trigger total_changed after update on referrals
  for each row when (
    (old.created_at < now() - interval '30 minutes' and (old.affiliate_id, old.signup_date, old.replaced_at is null)
      is distinct from (new.affiliate_id, new.signup_date, new.replaced_at is null))
    or (least(old.converted_at, new.converted_at) < now() - interval '30 minutes'
      and (old.affiliate_id, old.converted_at, old.replaced_at is null)
        is distinct from (new.affiliate_id, new.converted_at, new.replaced_at is null)))
  execute function change_totals_of_referral();

create function outdate_totals() returns trigger language plpgsql as $$
begin
  update total_seals set is_outdated = true, due_at = now()
  where organization_id = case tg_table_name when 'organizations' then to_jsonb(new) ->> 'id'
    else to_jsonb(new) ->> 'organization_id' end::uuid;
  return null;
end
$$;

create trigger totals_outdated after update of time_zone on organizations
  for each row when (old.time_zone <> new.time_zone) execute function outdate_totals();
create trigger totals_outdated after update of campaign_id on affiliates
  for each row when (old.campaign_id <> new.campaign_id) execute function outdate_totals();

create function begin_totals() returns trigger language plpgsql as $$
begin
  insert into total_seals (organization_id, sealed_until, time_zone, due_at)
  values (new.id, date_trunc('hour', now(), 'UTC'), new.time_zone, date_trunc('hour', now(), 'UTC') + interval '2 hours');
  return null;
end
$$;

create trigger totals_begun after insert on organizations for each row execute function begin_totals();

-- The clicks of affiliates, for the list by clicks. An index of affiliates.clicks would make each click rewrite all indexes of
-- the row, so the order is that of the sealed totals, an hour or two old. No foreign key: rows are only written from those of
-- daily_totals.
create table affiliate_clicks (
  organization_id uuid not null,
  affiliate_id uuid not null,
  clicks bigint not null,
  generation integer not null,
  -- The day of the last click.
  last_day date,
  primary key (organization_id, generation, affiliate_id)
);

create index affiliate_clicks_order on affiliate_clicks (organization_id, generation, clicks, affiliate_id)
  where clicks > 0;

-- Statements write thousands of rows of daily_totals, so their triggers add sums.
create function add_affiliate_clicks() returns trigger language plpgsql as $$
begin
  insert into affiliate_clicks as known (organization_id, generation, affiliate_id, clicks, last_day)
  select organization_id, generation, affiliate_id, sum(clicks)::bigint, max(day) from added
  where clicks <> 0 group by organization_id, generation, affiliate_id
  on conflict (organization_id, generation, affiliate_id) do update
    set clicks = known.clicks + excluded.clicks, last_day = greatest(known.last_day, excluded.last_day);
  return null;
end
$$;

create function change_affiliate_clicks() returns trigger language plpgsql as $$
begin
  insert into affiliate_clicks as known (organization_id, generation, affiliate_id, clicks, last_day)
  select organization_id, generation, affiliate_id, sum(clicks)::bigint, max(day) filter (where clicks > 0)
  from (
    select organization_id, generation, affiliate_id, day, -clicks as clicks from former
    union all
    select organization_id, generation, affiliate_id, day, clicks from changed
  ) as difference
  group by organization_id, generation, affiliate_id having sum(clicks) <> 0
  on conflict (organization_id, generation, affiliate_id) do update
    set clicks = known.clicks + excluded.clicks, last_day = greatest(known.last_day, excluded.last_day);
  return null;
end
$$;

-- Only rows of former generations are deleted, with the clicks of their affiliates.
create trigger clicks_added after insert on daily_totals
  referencing new table as added for each statement execute function add_affiliate_clicks();
create trigger clicks_changed after update on daily_totals
  referencing old table as former new table as changed for each statement execute function change_affiliate_clicks();

-- Ended deliveries by the hour of their events, for histograms. The hours before `total_seals.deliveries_until` are in
-- delivery_hours; later ones are counted from attempts.

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
