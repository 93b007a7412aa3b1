-- Single sign-on: the OpenID Connect provider of an organization, by which its members sign in.

create table sign_in_providers (
  organization_id uuid primary key references organizations (id),
  issuer text not null check (issuer <> ''),
  client_id text not null check (client_id <> ''),
  -- AES-256-GCM under SECRETS_KEY.
  client_secret_encrypted bytea not null,
  -- The claim whose values give a role; null: none does, and members keep the role that they have.
  role_claim text check (role_claim <> ''),
  -- Roles by value of the claim.
  claim_roles jsonb not null default '{}' check (jsonb_typeof(claim_roles) = 'object'),
  -- For people without a value that gives one; null: they cannot sign in.
  default_role text check (default_role in ('owner', 'admin', 'viewer')),
  -- Whether members with an address of a proven domain must sign in by it.
  is_required boolean not null default false,
  -- The length of sessions that it opens.
  session_hours integer not null check (session_hours between 1 and 168),
  -- The last sign-in with these settings; null: none yet, so that it cannot be required.
  used_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  check (not is_required or used_at is not null)
);

create trigger not_in_test_data after insert on sign_in_providers
  referencing new table as added for each statement execute function refuse_in_test_data();

-- The domains of the addresses that a provider is for. Several organizations may name one; it belongs to the one that proves it.
create table sign_in_domains (
  organization_id uuid not null references sign_in_providers (organization_id) on delete cascade,
  -- In its ASCII form.
  domain text not null check (domain ~ '^[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)+$'),
  -- Since when its TXT record has been known to name the organization.
  proven_at timestamptz,
  -- The last look at the record; null: none yet.
  checked_at timestamptz,
  -- Why the last look found no proof.
  failure text check (failure in ('missing', 'different', 'unanswered')),
  -- Since when a domain that was proven has had no record.
  failing_since timestamptz,
  primary key (organization_id, domain)
);

create unique index sign_in_domains_proven on sign_in_domains (domain) where proven_at is not null;
-- For the daily look at the records.
create index sign_in_domains_checked on sign_in_domains (checked_at) where proven_at is not null;

-- Who a person is at an organization's provider.
create table sign_in_identities (
  organization_id uuid not null,
  issuer text not null,
  -- The claim `sub`.
  subject text not null,
  user_id uuid not null references users (id) on delete cascade,
  created_at timestamptz not null,
  primary key (organization_id, issuer, subject),
  foreign key (organization_id, user_id) references members (organization_id, user_id) on delete cascade
);

-- Another subject with the address of a member is another person.
create unique index sign_in_identities_user on sign_in_identities (organization_id, user_id, issuer);
create index sign_in_identities_person on sign_in_identities (user_id);

alter table user_sessions
  -- How the person proved who they are. Sessions from before count as the weakest.
  add column method text not null default 'password'
    check (method in ('password', 'code', 'passkey', 'invitation', 'setup_link', 'single_sign_on')),
  -- The organization whose provider opened the session, which opens no other organization.
  add column provider_organization_id uuid references organizations (id),
  add check ((method = 'single_sign_on') = (provider_organization_id is not null));

create index user_sessions_provider on user_sessions (provider_organization_id)
  where provider_organization_id is not null;

-- Changes of single sign-on belong to the person who made them; what a provider's sign-in removed, to the person of the account.
alter table security_events
  drop constraint security_events_kind_check,
  add constraint security_events_kind_check check (kind in ('signed_in', 'signed_in_on_new_device', 'signed_in_from_new_network',
    'sign_in_failed', 'code_failed', 'device_confirmed', 'password_changed', 'password_reset', 'second_factor_added',
    'second_factor_removed', 'recovery_codes_replaced', 'passkey_added', 'passkey_removed', 'sessions_ended', 'single_sign_on_changed',
    'credentials_removed'));
