-- Organizations and the keys that speak for them.

create table organizations (
  id uuid primary key,
  name text not null,
  -- ISO 4217. Fixed amounts of campaigns are in this currency, so it never changes.
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  subscription_status text not null check (subscription_status in ('active', 'trialing', 'past_due', 'canceled')),
  created_at timestamptz not null
);

create table api_keys (
  organization_id uuid not null references organizations (id),
  id uuid not null,
  kind text not null check (kind in ('secret', 'publishable')),
  name text not null,
  -- SHA-256 of the key. A secret key itself is never stored.
  hash bytea not null check (octet_length(hash) = 32),
  last_four text not null,
  -- A publishable key stands in web pages anyway, so it is kept to be shown again.
  publishable_key text check ((kind = 'publishable') = (publishable_key is not null)),
  scopes text[] not null check (scopes <@ array['read', 'write', 'track']),
  created_at timestamptz not null,
  last_used_at timestamptz,
  expires_at timestamptz,
  revoked_at timestamptz,
  primary key (organization_id, id)
);

-- The one lookup that does not know its organization yet.
create unique index api_keys_hash on api_keys (hash);
