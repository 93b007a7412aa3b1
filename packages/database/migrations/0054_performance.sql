-- Totals of the performance of affiliates, campaigns, links, landing pages, referrers, sub-ids and countries: docs/totals.md.

-- Of the click that a referral is attributed to, as its sub_id; null: there is none. The customer's country is the latest one that a
-- processor reported.
alter table clicks add column country text;
alter table referrals
  add column link_code text,
  add column landing_url text,
  add column referrer text,
  add column visitor_country text,
  add column customer_country text;

-- Page addresses count without query and fragment, referrers by their hosts.
create function landing_page_of(url text) returns text language sql immutable parallel safe
return left(lower(substring(url from '(?i)^https?://(?:[^/?#@]*@)?([^/?#]+)'))
  || coalesce(nullif(substring(url from '(?i)^https?://[^/?#]+([^?#]*)'), ''), '/'), 300);

create function referrer_host_of(url text) returns text language sql immutable parallel safe
return left(lower(substring(url from '(?i)^[a-z][a-z0-9+.-]*://(?:[^/?#@]*@)?(\[[^]/?#]*\]|[^/?#:]+)')), 200);

create type total_dimension as enum ('all', 'affiliate', 'campaign', 'link', 'landing_page', 'referrer', 'sub_id',
  'visitor_country', 'customer_country');
-- The periods whose sums have a day: the day; the first 5, 10, 15, 20 and 25 days of its month, and all of it; the first 3, 6 and 9
-- months of its year, and all of it. So any period is the sum or difference of few of them: docs/totals.md.
create function total_spans(day date) returns table (starts date, ends date) language sql immutable parallel safe
as $$
  select day, day + 1
  union all
  select date_trunc('month', day::timestamp)::date, date_trunc('month', day::timestamp)::date + first_days
  from unnest(array[5, 10, 15, 20, 25]) as first_days where extract(day from day) <= first_days
  union all
  select date_trunc('month', day::timestamp)::date, (date_trunc('month', day::timestamp) + interval '1 month')::date
  union all
  select date_trunc('year', day::timestamp)::date, (date_trunc('year', day::timestamp) + first_months * interval '1 month')::date
  from unnest(array[3, 6, 9, 12]) as first_months where extract(month from day) <= first_months
$$;

-- Values of dimensions, by short ids. They belong to no generation, so rebuilds and checks find the same ids. Strangers can
-- invent pages, referrers and sub-ids, so each month gets a limited number of new ones; others count as one: -1. No foreign key: rows are
-- only written from those of affiliates.
create table total_values (
  organization_id uuid not null,
  dimension total_dimension not null,
  value text not null,
  id integer generated always as identity,
  -- Rows that were created before do not count here, since they may have been sealed as others: the first day of a month (UTC).
  since date not null,
  primary key (organization_id, dimension, value)
);

create unique index total_values_id on total_values (organization_id, id);
create index total_values_since on total_values (organization_id, dimension, since);

-- Totals of the values of a dimension in a scope: the organization (0), the id of a campaign in total_values, or the negative one of an
-- affiliate, as affiliate_performance explains. Each array has one element for each value, and value_ids are in order: rows of their own would take several
-- times the space. Value 0: none. Arrays of amounts are null with the currency XXX, and the others with any other one.
-- No foreign keys: same.
create table performance_totals (
  organization_id uuid not null,
  generation integer not null,
  scope_id integer not null,
  dimension total_dimension not null,
  -- One of total_spans: days in the time zone, the last one excluded.
  starts date not null,
  ends date not null,
  currency text not null,
  value_ids integer[] not null,
  clicks integer[],
  signups integer[],
  conversions integer[],
  revenue_minor bigint[],
  commission_minor bigint[],
  lost_minor bigint[],
  refunds integer[],
  primary key (organization_id, generation, scope_id, dimension, starts, ends, currency)
);

-- Totals of an affiliate in a month, of each day and combination of values: arrays as in performance_totals. Many affiliates have few
-- of them, so nothing else is stored of most. With many elements, performance_totals has the values of the month, too
-- (`is_summed`). No foreign keys: same.
create table affiliate_performance (
  organization_id uuid not null,
  generation integer not null,
  -- In total_values.
  affiliate integer not null,
  month date not null,
  currency text not null,
  is_summed boolean not null,
  -- Of the month, from 1 on.
  days smallint[] not null,
  link_ids integer[] not null,
  landing_page_ids integer[] not null,
  referrer_ids integer[] not null,
  sub_id_ids integer[] not null,
  visitor_country_ids integer[] not null,
  customer_country_ids integer[] not null,
  clicks integer[],
  signups integer[],
  conversions integer[],
  revenue_minor bigint[],
  commission_minor bigint[],
  lost_minor bigint[],
  refunds integer[],
  primary key (organization_id, generation, affiliate, month, currency)
);

-- Refunds, disputes and corrections that `lost_minor` sums up, less those that were restored.
alter table hourly_totals add column refunds bigint not null default 0;
alter table daily_totals add column refunds bigint not null default 0;

-- The row that a change belongs to. Its source is read when the change is sealed.
alter table total_changes add column commission_id uuid, add column referral_id uuid;

-- Changes of sources: of a referral's, or of a commission's referral. Sealed rows are moved to the present source with the next
-- hour, from the one that they had when they were sealed, which the earliest change has. Since sums of rows and changes are
-- read in one snapshot, no lock is necessary. Nothing ever waits here, as in total_changes. No foreign keys: same.
create table total_moves (
  organization_id uuid not null,
  number bigint generated always as identity,
  -- Of a commission: with its former referral. Otherwise the referral has another source.
  commission_id uuid,
  referral_id uuid not null,
  link_code text,
  landing_url text,
  referrer text,
  sub_id text,
  visitor_country text,
  customer_country text,
  primary key (organization_id, number)
);

create or replace function change_totals_of_commission() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and not old.voided then
    insert into total_changes (organization_id, affiliate_id, recorded_at, created_at, counted_at, currency,
      revenue_minor, commission_minor, commission_id)
    values (old.organization_id, old.affiliate_id, old.created_at, old.created_at, old.referral_date, old.currency,
      -old.revenue_minor, -old.commission_minor, old.id);
  end if;
  if not new.voided then
    insert into total_changes (organization_id, affiliate_id, recorded_at, created_at, counted_at, currency,
      revenue_minor, commission_minor, commission_id)
    values (new.organization_id, new.affiliate_id, new.created_at, new.created_at, new.referral_date, new.currency,
      new.revenue_minor, new.commission_minor, new.id);
  end if;
  return null;
end
$$;

create or replace function add_referral_to_totals(referral referrals, sign integer) returns void language plpgsql as $$
begin
  if referral.replaced_at is not null then
    return;
  end if;
  insert into total_changes (organization_id, affiliate_id, recorded_at, created_at, counted_at, currency, signups,
    referral_id)
  values (referral.organization_id, referral.affiliate_id, referral.created_at, referral.created_at,
    referral.signup_date, 'XXX', sign, referral.id);
  if referral.converted_at is not null then
    insert into total_changes (organization_id, affiliate_id, recorded_at, created_at, counted_at, currency,
      conversions, referral_id)
    values (referral.organization_id, referral.affiliate_id, referral.converted_at, referral.created_at,
      referral.converted_at, 'XXX', sign, referral.id);
  end if;
end
$$;

create function move_totals_of_referral() returns trigger language plpgsql as $$
begin
  insert into total_moves (organization_id, referral_id, link_code, landing_url, referrer, sub_id, visitor_country,
    customer_country)
  values (old.organization_id, old.id, old.link_code, old.landing_url, old.referrer, old.sub_id, old.visitor_country,
    old.customer_country);
  return null;
end
$$;

create trigger total_moved after update on referrals
  for each row when ((old.link_code, old.landing_url, old.referrer, old.sub_id, old.visitor_country, old.customer_country)
    is distinct from
    (new.link_code, new.landing_url, new.referrer, new.sub_id, new.visitor_country, new.customer_country))
  execute function move_totals_of_referral();

create function move_totals_of_commission() returns trigger language plpgsql as $$
begin
  insert into total_moves (organization_id, commission_id, referral_id)
  values (old.organization_id, old.id, old.referral_id);
  return null;
end
$$;

create trigger total_moved after update on commissions
  for each row when (old.referral_id <> new.referral_id) execute function move_totals_of_commission();

-- False until the first rebuild has summed up the rows from before this migration.
alter table total_seals add column has_performance boolean not null default false;
update total_seals set is_outdated = true, due_at = now();
alter table total_seals alter column has_performance set default true;
-- A rebuild that is under way begins again, with these totals.
update total_rebuilds set generation = generation + 1, summed_until = '2000-01-01T00:00:00Z';
