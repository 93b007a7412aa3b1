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
-- Days of the totals of everything, of an organization or a campaign, are kept. Days of an organization's values, and those of campaigns
-- and affiliates, are kept for some months, and begin with another unit, so that the old ones are a range of the key.
create type total_unit as enum ('day', 'value_day', 'scope_day', 'month', 'year');

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

-- Totals of a value in a scope: the organization (0), or the id of a campaign or an affiliate in total_values. Days, months and years
-- of the time zone have rows, so that any period is few of them: docs/totals.md. `start` is the first day. Value 0: none. Of an
-- affiliate, only `all` has it: rows without a value are those of `all`, less those of the values. The key begins with
-- the start, so that a rebuild writes its end, and each start of a period is one range. Narrow: there are millions of rows.
-- No foreign keys: same.
create table performance_totals (
  organization_id uuid not null,
  generation integer not null,
  unit total_unit not null,
  start date not null,
  dimension total_dimension not null,
  scope_id integer not null,
  value_id integer not null,
  clicks integer not null,
  signups integer not null,
  conversions integer not null,
  revenue_minor bigint not null,
  commission_minor bigint not null,
  lost_minor bigint not null,
  currency text not null,
  primary key (organization_id, generation, unit, start, dimension, scope_id, value_id, currency),
  constraint performance_totals_currency check (case currency when 'XXX' then revenue_minor = 0 and commission_minor = 0
    and lost_minor = 0 else clicks = 0 and signups = 0 and conversions = 0 end)
);

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
