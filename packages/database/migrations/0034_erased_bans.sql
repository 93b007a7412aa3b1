-- Bans of erased affiliates. Without them, a banned person would erase itself and join again at once.

create table erased_bans (
  organization_id uuid not null,
  affiliate_id uuid not null,
  -- The reason of the ban, without the person's names and addresses. Null: none was given.
  reason text,
  -- HMAC-SHA256 of the sign-in address and the payout addresses, with a key from SECRETS_KEY, in hexadecimal.
  address_hashes text[] not null,
  erased_at timestamptz not null,
  primary key (organization_id, affiliate_id),
  foreign key (organization_id, affiliate_id) references affiliates (organization_id, id)
);

create index erased_bans_address on erased_bans using gin (address_hashes);
