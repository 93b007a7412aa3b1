-- Organizations, which all other data belongs to.
--
-- The baseline has a file per area of the product, in the order in which they refer to each other. In every table of a
-- tenant, the primary key begins with organization_id and every foreign key includes it, so that the database refuses
-- links between organizations. Ids are UUIDv7 made by the application from the row's created_at, so that they sort by
-- creation. Amounts (*_minor) are integers in the currency's minor unit.

-- Whether it maps currencies to amounts in minor units, as text.
create function is_minimum_payouts(minimums jsonb) returns boolean
language sql immutable as $$
  select jsonb_typeof(minimums) = 'object' and not exists (
    select from jsonb_each(minimums)
    where key !~ '^[A-Z]{3}$' or jsonb_typeof(value) <> 'string' or value #>> '{}' !~ '^[1-9][0-9]{0,17}$')
$$;

-- For rows that stay as they were written.
create function never_changes() returns trigger language plpgsql as $$
begin
  raise exception '% is append-only', tg_table_name using errcode = 'FF001';
end
$$;

create table organizations (
  id uuid primary key,
  name text not null,
  -- Its name in the dashboard's addresses.
  slug text not null check (slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$' and length(slug) <= 63),
  -- IANA. Days and months of totals are in it.
  time_zone text not null default 'UTC',
  -- ISO 4217. Fixed amounts of campaigns are in this currency, so it never changes.
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  subscription_status text not null check (subscription_status in ('active', 'trialing', 'past_due', 'canceled')),

  -- The holding period of new commissions, in days.
  hold_days integer not null default 15 check (hold_days between 0 and 365),
  -- The minimum payout of each currency, in minor units as text: {"USD": "5000"}. Other currencies have none.
  minimum_payouts jsonb not null default '{}' check (is_minimum_payouts(minimum_payouts)),
  -- The day of the month (UTC) on which a payout run starts automatically; null: never.
  payout_day integer check (payout_day between 1 and 28),

  -- Which sign-ups the publishable key can report.
  public_signups text not null default 'on' check (public_signups in ('on', 'signed', 'off')),
  -- The organization's backend signs sign-ups with it. AES-256-GCM under SECRETS_KEY.
  signup_secret_encrypted bytea,
  -- Valid until it expires, so that the backend can switch to the new secret in time.
  previous_signup_secret_encrypted bytea,
  previous_signup_secret_expires_at timestamptz,

  created_at timestamptz not null,

  -- Test data is an organization of its own, which belongs to the one that made it: nothing that reads or pays the rows of
  -- an organization finds those of another one. People reach it with their role in the organization that it is a test of.
  test_of uuid references organizations (id),
  -- Nobody reaches it any more. Its rows stay: ledgers and audit logs are never deleted.
  removed_at timestamptz,
  -- When somebody put away the page with the first steps.
  onboarding_dismissed_at timestamptz,

  -- Where affiliates' answers to mails go; null: nowhere.
  support_email text check (support_email = lower(support_email)),
  -- The terms of its programs, which people accept when they join; null: none.
  terms_url text check (terms_url like 'https://%'),
  -- ISO 639-1. The first one is for people of whom no language is known.
  languages text[] not null default '{en,de}'
    check (cardinality(languages) between 1 and 2 and languages <@ array['en', 'de']),

  -- As the organization chose it; the portal derives readable colors from it. Null: the service's own.
  brand_color text check (brand_color ~ '^#[0-9a-f]{6}$'),
  -- The host name of its own portal, without a port. Null: none.
  portal_host text check (portal_host = lower(portal_host)),
  -- The origins of pages that may show the portal in a frame.
  frame_origins text[] not null default '{}' check (cardinality(frame_origins) <= 10),
  -- When a request last named the host, to the hour; null: never.
  portal_host_seen_at timestamptz,

  constraint organizations_removed check (removed_at is null or test_of is not null),
  constraint organizations_test check (test_of is null or (test_of <> id and payout_day is null))
);

create unique index organizations_slug on organizations (slug);
create unique index organizations_test_of on organizations (test_of) where removed_at is null;
create index organizations_tests on organizations (test_of, created_at) where test_of is not null;
-- Requests name the host.
create unique index organizations_portal_host on organizations (portal_host) where portal_host is not null;

-- FF006: test data has no payout runs, payouts, members or invitations.
create function refuse_in_test_data() returns trigger language plpgsql as $$
begin
  if exists (
    select from organizations
    where id in (select organization_id from added) and test_of is not null
  ) then
    raise exception '% of test data', tg_table_name using errcode = 'FF006';
  end if;
  return null;
end
$$;
