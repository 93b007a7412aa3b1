-- Totals are summed up again in parts of bounded size, each in a transaction of its own: docs/totals.md. The new totals are rows
-- of the next generation, and readers see those of `total_seals.generation`. A worker deletes the rows of former generations.

alter table total_seals add column generation integer not null default 1;

alter table hourly_totals
  add column generation integer not null default 1,
  drop constraint hourly_totals_pkey,
  add primary key (organization_id, generation, currency, hour, campaign_id);
alter table hourly_totals alter column generation drop default;

alter table daily_totals
  add column generation integer not null default 1,
  drop constraint daily_totals_pkey,
  add primary key (organization_id, generation, currency, day, affiliate_id);
alter table daily_totals alter column generation drop default;

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

-- When the row that a change belongs to was created. Conversions are recorded later than their referrals, and summed up with them.
alter table total_changes add column created_at timestamptz;
update total_changes set created_at = recorded_at;
alter table total_changes alter column created_at set not null;

create or replace function change_totals_of_commission() returns trigger language plpgsql as $$
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

create or replace function add_referral_to_totals(referral referrals, sign integer) returns void language plpgsql as $$
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

-- Clicks of affiliates are those of a generation, too. Statements write thousands of rows, so their triggers add sums.
drop trigger clicks_added on daily_totals;
drop trigger clicks_changed on daily_totals;
drop trigger clicks_deleted on daily_totals;
drop function count_affiliate_clicks();

alter table affiliate_clicks
  add column generation integer not null default 1,
  drop constraint affiliate_clicks_pkey,
  add primary key (organization_id, generation, affiliate_id);
alter table affiliate_clicks alter column generation drop default;
drop index affiliate_clicks_order;
create index affiliate_clicks_order on affiliate_clicks (organization_id, generation, clicks, affiliate_id)
  where clicks > 0;

create function add_affiliate_clicks() returns trigger language plpgsql as $$
begin
  insert into affiliate_clicks as known (organization_id, generation, affiliate_id, clicks)
  select organization_id, generation, affiliate_id, sum(clicks)::bigint from added
  where clicks <> 0 group by organization_id, generation, affiliate_id
  on conflict (organization_id, generation, affiliate_id) do update set clicks = known.clicks + excluded.clicks;
  return null;
end
$$;

create function change_affiliate_clicks() returns trigger language plpgsql as $$
begin
  insert into affiliate_clicks as known (organization_id, generation, affiliate_id, clicks)
  select organization_id, generation, affiliate_id, sum(clicks)::bigint
  from (
    select organization_id, generation, affiliate_id, -clicks as clicks from former
    union all
    select organization_id, generation, affiliate_id, clicks from changed
  ) as difference
  group by organization_id, generation, affiliate_id having sum(clicks) <> 0
  on conflict (organization_id, generation, affiliate_id) do update set clicks = known.clicks + excluded.clicks;
  return null;
end
$$;

-- Only rows of former generations are deleted, with the clicks of their affiliates.
create trigger clicks_added after insert on daily_totals
  referencing new table as added for each statement execute function add_affiliate_clicks();
create trigger clicks_changed after update on daily_totals
  referencing old table as former new table as changed for each statement execute function change_affiliate_clicks();
