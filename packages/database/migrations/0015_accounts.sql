-- Accounts: the people who sign in to the dashboard, how they prove who they are, and their roles in organizations.
-- Affiliates are no users: they have sessions of their own in the portal.

create table users (
  id uuid primary key,
  name text not null check (name <> ''),
  email text not null check (email = lower(email)),
  email_verified boolean not null default false,
  image text,
  -- Whether a sign-in with a password needs a second factor.
  two_factor_enabled boolean not null default false,
  -- A disabled user cannot sign in, and the sessions are over.
  disabled_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null
);

create unique index users_email on users (email);

-- Credentials. The provider `credential` holds the password.
create table user_accounts (
  id uuid primary key,
  user_id uuid not null references users (id) on delete cascade,
  provider_id text not null,
  account_id text not null,
  -- scrypt, with its salt.
  password text,
  created_at timestamptz not null,
  updated_at timestamptz not null
);

create unique index user_accounts_provider on user_accounts (provider_id, account_id);
create index user_accounts_user on user_accounts (user_id);

create table user_sessions (
  id uuid primary key,
  user_id uuid not null references users (id) on delete cascade,
  -- SHA-256 of the cookie's token. The token itself is never stored.
  token_hash bytea not null check (octet_length(token_hash) = 32),
  ip_address text,
  user_agent text,
  created_at timestamptz not null,
  -- Also the time of the last use, to the hour.
  updated_at timestamptz not null,
  expires_at timestamptz not null
);

-- Authentication.
create unique index user_sessions_token on user_sessions (token_hash);
create index user_sessions_user on user_sessions (user_id);
create index user_sessions_expired on user_sessions (expires_at);

-- Single-use values that a person proves to have: reset links, email changes, second-step cookies.
create table user_verifications (
  id uuid primary key,
  identifier text not null,
  value text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  expires_at timestamptz not null
);

create index user_verifications_identifier on user_verifications (identifier);
create index user_verifications_expired on user_verifications (expires_at);

create table user_passkeys (
  id uuid primary key,
  user_id uuid not null references users (id) on delete cascade,
  name text not null,
  -- base64url, as browsers send it.
  credential_id text not null,
  public_key bytea not null,
  -- Must grow, unless the authenticator always sends 0.
  counter bigint not null,
  transports text[] not null default '{}',
  is_backed_up boolean not null,
  created_at timestamptz not null,
  last_used_at timestamptz
);

create unique index user_passkeys_credential on user_passkeys (credential_id);
create index user_passkeys_user on user_passkeys (user_id);

-- The secret of an authenticator app and the recovery codes, encrypted.
create table user_two_factors (
  id uuid primary key,
  user_id uuid not null references users (id) on delete cascade,
  secret text not null,
  backup_codes text not null,
  verified boolean not null default true,
  failed_verification_count integer not null default 0,
  locked_until timestamptz
);

create unique index user_two_factors_user on user_two_factors (user_id);

create table user_preferences (
  user_id uuid primary key references users (id) on delete cascade,
  theme text not null default 'system' check (theme in ('system', 'light', 'dark')),
  -- Whether single keys are shortcuts (WCAG 2.1.4).
  shortcuts boolean not null default true,
  -- The columns that the person chose, by list.
  list_columns jsonb not null default '{}' check (jsonb_typeof(list_columns) = 'object')
);

-- Who may do what in an organization: `viewer` reads, `admin` changes, `owner` also manages owners.
create table members (
  organization_id uuid not null references organizations (id),
  user_id uuid not null references users (id) on delete cascade,
  role text not null check (role in ('owner', 'admin', 'viewer')),
  created_at timestamptz not null,
  primary key (organization_id, user_id)
);

create index members_user on members (user_id);

create table invitations (
  organization_id uuid not null references organizations (id),
  id uuid not null,
  email text not null check (email = lower(email)),
  role text not null check (role in ('owner', 'admin', 'viewer')),
  -- SHA-256 of the link's token. The token itself is never stored.
  token_hash bytea not null check (octet_length(token_hash) = 32),
  invited_by uuid references users (id) on delete set null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  accepted_at timestamptz,
  revoked_at timestamptz,
  primary key (organization_id, id)
);

create unique index invitations_token on invitations (token_hash);
-- One open invitation per address.
create unique index invitations_open on invitations (organization_id, email)
  where accepted_at is null and revoked_at is null;

-- Links with which the operator lets a person in: the first owner, or somebody who lost all credentials.
create table setup_tokens (
  id uuid primary key,
  -- SHA-256 of the link's token. The token itself is never stored.
  token_hash bytea not null check (octet_length(token_hash) = 32),
  -- Null: the link creates the first user with an organization.
  user_id uuid references users (id) on delete cascade,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  used_at timestamptz
);

create unique index setup_tokens_token on setup_tokens (token_hash);
