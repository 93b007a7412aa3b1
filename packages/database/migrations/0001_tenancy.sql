-- Organizations and their API keys.

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

  created_at timestamptz not null
);

create unique index organizations_slug on organizations (slug);

create table api_keys (
  organization_id uuid not null references organizations (id),
  id uuid not null,
  kind text not null check (kind in ('secret', 'publishable')),
  name text not null,
  -- SHA-256 of the key. A secret key itself is never stored.
  hash bytea not null check (octet_length(hash) = 32),
  last_four text not null,
  -- A publishable key is public in web pages, so it is stored and can be shown again.
  publishable_key text check ((kind = 'publishable') = (publishable_key is not null)),
  scopes text[] not null check (scopes <@ array['read', 'write', 'view', 'admin', 'track']),
  created_at timestamptz not null,
  -- The actor, as in the audit log.
  created_by text not null,
  last_used_at timestamptz,
  expires_at timestamptz,
  revoked_at timestamptz,
  primary key (organization_id, id)
);

-- Authentication: the only lookup without an organization.
create unique index api_keys_hash on api_keys (hash);
