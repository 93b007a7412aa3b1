-- The affiliates' portal. Affiliates are no users: they prove their address with a code by mail, and have sessions of their
-- own, which never open the dashboard. All affiliates with the address are the person's programs, in any organization.

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
  used_at timestamptz
);

create unique index portal_codes_browser on portal_codes (browser_hash);
create unique index portal_codes_link on portal_codes (link_hash);
create index portal_codes_email on portal_codes (email, created_at);
create index portal_codes_expired on portal_codes (expires_at);

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
  expires_at timestamptz not null
);

create unique index portal_sessions_token on portal_sessions (token_hash);
create index portal_sessions_email on portal_sessions (email);
create index portal_sessions_expired on portal_sessions (expires_at);

-- The programs of an address.
create index affiliates_address on affiliates (lower(email));

-- The mail with a code. `about` is the code's id.
alter table mails
  drop constraint mails_kind_check,
  add constraint mails_kind_check check
    (kind in ('affiliate_approved', 'affiliate_declined', 'new_paid_referral', 'payout_paid', 'payouts_failed',
      'endpoint_disabled', 'invitation', 'password_reset', 'email_confirmation', 'portal_code'));
