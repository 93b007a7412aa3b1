-- Guesses, known browsers, and what people read about the security of their accounts.

-- Wrong passwords that strangers may still try, by a keyed hash of the address, whether or not a user has it.
create table sign_in_guesses (
  email_hash bytea primary key check (octet_length(email_hash) = 16),
  -- When all guesses are back. Each one adds a step to it.
  full_at timestamptz not null
);

create index sign_in_guesses_full on sign_in_guesses (full_at);

-- Browsers that signed in to the account before: what strangers try does not keep them out.
create table user_devices (
  user_id uuid not null references users (id) on delete cascade,
  -- SHA-256 of the user's id and the cookie's token, which several users of one browser share.
  token_hash bytea not null check (octet_length(token_hash) = 32),
  -- Consecutive wrong passwords.
  failures integer not null default 0,
  created_at timestamptz not null,
  used_at timestamptz not null,
  expires_at timestamptz not null,
  primary key (user_id, token_hash)
);

create index user_devices_expired on user_devices (expires_at);

-- Wrong passwords and codes in a row, typed to confirm who uses the session.
alter table user_sessions add column failures integer not null default 0;

alter table user_verifications
  drop constraint user_verifications_kind_check,
  add constraint user_verifications_kind_check check (kind in ('password_reset', 'email', 'second_factor', 'device')),
  drop constraint user_verifications_check,
  add constraint user_verifications_check check (user_id is not null or kind in ('password_reset', 'device'));

create table security_events (
  id uuid primary key,
  user_id uuid not null references users (id) on delete cascade,
  kind text not null check (kind in ('signed_in', 'signed_in_on_new_device', 'signed_in_from_new_network', 'sign_in_failed',
    'code_failed', 'device_confirmed', 'password_changed', 'password_reset', 'second_factor_added', 'second_factor_removed',
    'recovery_codes_replaced', 'passkey_added', 'passkey_removed', 'sessions_ended')),
  -- Who caused it, as in the audit log; null: whoever used the account, or tried to.
  actor text,
  -- The name of a passkey, or how the person signed in.
  detail text,
  -- The IPv4 /24 or IPv6 /48; null: at the command line.
  network text,
  ip_address text,
  user_agent text,
  -- Of failures of one network in this hour: one row, so that strangers do not fill the list.
  hour timestamptz check ((kind in ('sign_in_failed', 'code_failed')) = (hour is not null)),
  times integer not null default 1,
  created_at timestamptz not null,
  last_at timestamptz not null
);

create index security_events_user on security_events (user_id, id);
create unique index security_events_hour on security_events (user_id, kind, network, hour) where hour is not null;
create index security_events_old on security_events (created_at);

-- Failures are counted; everything else stays as it was written, until its retention ends.
create trigger never_changes
  before update of id, user_id, kind, actor, detail, network, hour, created_at or truncate on security_events
  for each statement execute function never_changes();

alter table mails
  drop constraint mails_kind_check,
  add constraint mails_kind_check check
    (kind in ('affiliate_approved', 'affiliate_declined', 'affiliate_left', 'new_paid_referral', 'payout_paid', 'payouts_failed',
      'endpoint_disabled', 'invitation', 'password_reset', 'email_confirmation', 'portal_code', 'claim_decided',
      'payout_email_code', 'payout_email_changed', 'device_link', 'security_notice'));
