-- Identity: the people who sign in to the dashboard, how they prove who they are, and their roles in organizations; and the
-- keys of programs that use the API. Affiliates are no users: they have sessions of their own in the portal.

create table users (
  id uuid primary key,
  name text not null check (name <> ''),
  email text not null check (email = lower(email)),
  email_verified boolean not null default false,
  -- Whether a sign-in with a password needs a second factor.
  two_factor_enabled boolean not null default false,
  -- A disabled user cannot sign in, and the sessions are over.
  disabled_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null
);

create unique index users_email on users (email);

create table user_passwords (
  user_id uuid primary key references users (id) on delete cascade,
  -- scrypt, with its parameters and its salt.
  password_hash text not null,
  updated_at timestamptz not null
);

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
  expires_at timestamptz not null,
  -- When the person last typed the password in the session; null: at its sign-in. Sensitive changes require a recent one.
  confirmed_at timestamptz
);

-- Authentication.
create unique index user_sessions_token on user_sessions (token_hash);
create index user_sessions_user on user_sessions (user_id);
create index user_sessions_expired on user_sessions (expires_at);

-- Single-use tokens: links that reset a password or confirm an address, and cookies between the two steps of a sign-in.
create table user_verifications (
  id uuid primary key,
  kind text not null check (kind in ('password_reset', 'email', 'second_factor')),
  -- Null: nobody has the address for which a reset was requested. The row makes such a request the same work.
  user_id uuid references users (id) on delete cascade,
  -- SHA-256 of the token. The token itself is never stored.
  token_hash bytea not null check (octet_length(token_hash) = 32),
  -- Wrong codes of a second factor.
  failures integer not null default 0,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  check (user_id is not null or kind = 'password_reset')
);

create unique index user_verifications_token on user_verifications (token_hash);
create index user_verifications_user on user_verifications (user_id);
create index user_verifications_expired on user_verifications (expires_at);

-- Challenges that an authenticator has answered: each is accepted once. Signed ones that nobody answers are not stored.
create table used_passkey_challenges (
  -- SHA-256 of the challenge.
  challenge_hash bytea primary key check (octet_length(challenge_hash) = 32),
  expires_at timestamptz not null
);

create index used_passkey_challenges_expired on used_passkey_challenges (expires_at);

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

-- Authenticator apps (RFC 6238).
create table user_second_factors (
  user_id uuid primary key references users (id) on delete cascade,
  -- AES-256-GCM under SECRETS_KEY.
  secret_encrypted bytea not null,
  -- Null: the person has not yet typed a code of the app, and sign-ins do not ask for one.
  confirmed_at timestamptz,
  -- The time step of the last accepted code: that code and earlier ones are not accepted again.
  last_step bigint not null default 0,
  -- Consecutive wrong codes.
  failures integer not null default 0,
  locked_until timestamptz,
  created_at timestamptz not null
);

create table user_recovery_codes (
  user_id uuid not null references users (id) on delete cascade,
  -- SHA-256 of the user's id and the code, which has 80 random bits. A used code is deleted.
  code_hash bytea not null check (octet_length(code_hash) = 32),
  primary key (user_id, code_hash)
);

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

create trigger not_in_test_data after insert on members
  referencing new table as added for each statement execute function refuse_in_test_data();

create table invitations (
  organization_id uuid not null references organizations (id),
  id uuid not null,
  email text not null check (email = lower(email)),
  role text not null check (role in ('owner', 'admin', 'viewer')),
  -- SHA-256 of the link's token. The token itself is never stored.
  token_hash bytea not null check (octet_length(token_hash) = 32),
  -- False: the link was shown to the person who invited. Then it does not prove that its user reads the address.
  mailed boolean not null,
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
-- Counts the mailed invitations of an address, which are limited.
create index invitations_email on invitations (organization_id, email, id);

create trigger not_in_test_data after insert on invitations
  referencing new table as added for each statement execute function refuse_in_test_data();

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
