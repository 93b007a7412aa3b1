-- Totals of the dashboard's overview. docs/totals.md defines each of them and how they stay exact.
--
-- Rows count in two parts. What was recorded before `sealed_until` is summed up in hourly_totals and daily_totals; what was
-- recorded later is summed up from the rows themselves whenever totals are read. So recording writes nothing here, and
-- no transaction waits for another one's totals. A later change of a row that was recorded 30 minutes ago or earlier adds
-- the difference to total_changes. A worker seals an hour once it is over for an hour: all transactions that could record
-- a row in it, or change one without adding the difference, have ended by then.

-- The smallest UUIDv7 of a time.
create function first_id_of(at timestamptz) returns uuid language sql immutable parallel safe
return (lpad(to_hex(floor(extract(epoch from at) * 1000)::bigint), 12, '0') || '70008000000000000000')::uuid;

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
  reason text
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
  primary key (organization_id, currency, hour, campaign_id),
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
  primary key (organization_id, currency, day, affiliate_id),
  constraint daily_totals_currency check (case currency when 'XXX' then revenue_minor = 0 and commission_minor = 0
    and lost_minor = 0 else clicks = 0 and signups = 0 and conversions = 0 end)
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
  primary key (organization_id, number)
);

-- What was lost in a period. Earnings, which are most entries, are not in it.
create index ledger_entries_lost on ledger_entries (organization_id, created_at)
  where kind in ('reduced', 'restored', 'voided', 'reversed');

-- All changes of rows that count add their differences here, so that no statement can leave them out. The conditions of the
-- triggers hold for rows that were recorded 30 minutes ago or earlier only: for others, they are all that a trigger costs.

create function change_totals_of_commission() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and not old.voided then
    insert into total_changes (organization_id, affiliate_id, recorded_at, counted_at, currency, revenue_minor,
      commission_minor)
    values (old.organization_id, old.affiliate_id, old.created_at, old.referral_date, old.currency, -old.revenue_minor,
      -old.commission_minor);
  end if;
  if not new.voided then
    insert into total_changes (organization_id, affiliate_id, recorded_at, counted_at, currency, revenue_minor,
      commission_minor)
    values (new.organization_id, new.affiliate_id, new.created_at, new.referral_date, new.currency, new.revenue_minor,
      new.commission_minor);
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
  insert into total_changes (organization_id, affiliate_id, recorded_at, counted_at, currency, signups)
  values (referral.organization_id, referral.affiliate_id, referral.created_at, referral.signup_date, 'XXX', sign);
  if referral.converted_at is not null then
    insert into total_changes (organization_id, affiliate_id, recorded_at, counted_at, currency, conversions)
    values (referral.organization_id, referral.affiliate_id, referral.converted_at, referral.converted_at, 'XXX', sign);
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

-- Organizations that were there before: a worker sums up all their rows.
insert into total_seals (organization_id, sealed_until, time_zone, due_at)
select id, '2000-01-01 00:00:00+00', time_zone, now() from organizations;
