-- The affiliates' portal. Affiliates are no users: they prove their address with a code by mail, and have sessions of their
-- own, which never open the dashboard. All affiliates with the address are the person's programs, in any organization.
--
-- Organizations have the portal at host names of their own. They decide where such a name leads, so they could read the
-- cookies there: a session that is opened at a host name sees its organization alone, and is valid nowhere else.

-- The language of a person, in all programs.
create table portal_accounts (
  -- In lower case, and proven: nobody else can set it.
  email text primary key check (email = lower(email)),
  language text not null check (language in ('en', 'de'))
);

-- Codes and links by mail. A code is computed from the row's id and SECRETS_KEY; no table has it.
create table portal_codes (
  id uuid primary key,
  -- In lower case. Rows of addresses that no affiliate has make a sign-in the same work for every address.
  email text not null check (email = lower(email)),
  -- SHA-256 of the cookie of the browser that asked for the code: only there the code is accepted.
  browser_hash bytea not null check (octet_length(browser_hash) = 32),
  -- SHA-256 of the link's token. The link works in any browser.
  link_hash bytea not null check (octet_length(link_hash) = 32),
  -- False: no affiliate has the address, or too many codes were open. Then no code is accepted.
  mailed boolean not null,
  -- Wrong codes.
  failures integer not null default 0,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  -- The code or the link was accepted.
  used_at timestamptz,

  -- The campaign that the person joins with the code; null: it is for signing in. The application waits with the code, and
  -- the affiliate exists once the code was entered.
  organization_id uuid,
  campaign_id uuid,
  -- The filled in form: {"first_name", "last_name", "details", "custom_fields", "accepted_terms", "language"}. It becomes an
  -- affiliate when the code is used, and null then. Otherwise it goes with the row, a day after it expired.
  application jsonb,
  -- The organization of which alone the session sees the programs that the code opens; null: it sees all programs of the
  -- address. At another host name, neither the code nor its link is accepted.
  limited_to uuid references organizations (id),

  foreign key (organization_id, campaign_id) references campaigns (organization_id, id),
  constraint portal_codes_joins check (
    (organization_id is null) = (campaign_id is null) and (application is null or campaign_id is not null and used_at is null))
);

create unique index portal_codes_browser on portal_codes (browser_hash);
create unique index portal_codes_link on portal_codes (link_hash);
create index portal_codes_email on portal_codes (email, created_at);
create index portal_codes_expired on portal_codes (expires_at);
-- Applications of the last hour are limited.
create index portal_codes_joins on portal_codes (organization_id, created_at) where organization_id is not null;

create table portal_sessions (
  id uuid primary key,
  -- The proven address, in lower case.
  email text not null check (email = lower(email)),
  -- SHA-256 of the cookie's token. The token itself is never stored.
  token_hash bytea not null check (octet_length(token_hash) = 32),
  ip_address text,
  user_agent text,
  created_at timestamptz not null,
  -- Also the time of the last use, to the hour.
  updated_at timestamptz not null,
  expires_at timestamptz not null,

  -- The organization of which alone it sees the programs; null: it sees all programs of the address.
  limited_to uuid references organizations (id),
  -- The affiliate whom alone it sees, in a frame; null: it was opened by the affiliate.
  affiliate_id uuid,
  -- The session of the member who views the portal, and changes nothing there; null: it is the affiliate's, or that of a
  -- frame.
  user_session_id uuid references user_sessions (id) on delete cascade,

  foreign key (limited_to, affiliate_id) references affiliates (organization_id, id),
  constraint portal_sessions_affiliate check (affiliate_id is null or limited_to is not null),
  constraint portal_sessions_view check (user_session_id is null or affiliate_id is not null)
);

create unique index portal_sessions_token on portal_sessions (token_hash);
create index portal_sessions_email on portal_sessions (email);
create index portal_sessions_expired on portal_sessions (expires_at);
create index portal_sessions_view on portal_sessions (user_session_id) where user_session_id is not null;

-- A token opens the portal of one affiliate. The organization's backend makes it for the affiliate, and the page that is
-- framed in the organization's product exchanges it for a session; or a member views the portal as the affiliate sees it.
create table portal_tokens (
  organization_id uuid not null references organizations (id),
  -- The token is computed from it and SECRETS_KEY; no table has it.
  id uuid not null,
  affiliate_id uuid not null,
  -- SHA-256 of the token.
  token_hash bytea not null check (octet_length(token_hash) = 32),
  created_at timestamptz not null,
  expires_at timestamptz not null,
  -- It was exchanged for a session. Nobody can do so again.
  used_at timestamptz,
  -- The session of the member who views the portal, with which the token ends; null: the token opens a frame in the
  -- organization's product.
  user_session_id uuid references user_sessions (id) on delete cascade,
  primary key (organization_id, id),
  foreign key (organization_id, affiliate_id) references affiliates (organization_id, id)
);

create unique index portal_tokens_token on portal_tokens (token_hash);
create index portal_tokens_open on portal_tokens (organization_id, expires_at);
create index portal_tokens_affiliate on portal_tokens (organization_id, affiliate_id, expires_at);
create index portal_tokens_expired on portal_tokens (expires_at);
create index portal_tokens_view on portal_tokens (user_session_id) where user_session_id is not null;

-- The logo of each organization that has one, rewritten without metadata.
create table portal_logos (
  organization_id uuid primary key references organizations (id),
  -- SHA-256 of the content, in hexadecimal digits. It is part of the address, so that browsers may keep the logo.
  hash text not null check (hash ~ '^[0-9a-f]{64}$'),
  type text not null check (type in ('image/png', 'image/jpeg', 'image/webp')),
  width integer not null check (width between 1 and 1024),
  height integer not null check (height between 1 and 1024),
  content bytea not null check (octet_length(content) between 1 and 131072)
);

-- Requests for another payout email. Each takes effect when its code is entered, which is computed from the row's id and
-- SECRETS_KEY; no table has it.
create table payout_email_changes (
  organization_id uuid not null,
  id uuid not null,
  affiliate_id uuid not null,
  -- The session that asked for the code: only there the code is accepted. No foreign key: sessions are deleted.
  session_id uuid not null,
  -- The new address, as it was typed, and the one that it replaces; null: there was none.
  email text not null,
  former_email text,
  -- Wrong codes.
  failures integer not null default 0,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  -- The code was accepted.
  used_at timestamptz,
  primary key (organization_id, id),
  foreign key (organization_id, affiliate_id) references affiliates (organization_id, id)
);

create index payout_email_changes_affiliate on payout_email_changes (organization_id, affiliate_id, id);
-- Mails to one address are limited.
create index payout_email_changes_email on payout_email_changes (lower(email), created_at);
create index payout_email_changes_expired on payout_email_changes (expires_at);
