-- The portal inside of the organization's own product. Its backend makes a token for one affiliate, and the page that is framed
-- there exchanges it for a session, which sees that affiliate alone.

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
  primary key (organization_id, id),
  foreign key (organization_id, affiliate_id) references affiliates (organization_id, id)
);

create unique index portal_tokens_token on portal_tokens (token_hash);
create index portal_tokens_open on portal_tokens (organization_id, expires_at);
create index portal_tokens_affiliate on portal_tokens (organization_id, affiliate_id, expires_at);
create index portal_tokens_expired on portal_tokens (expires_at);

alter table portal_sessions
  -- The affiliate whom alone it sees, in a frame; null: it was opened by the affiliate.
  add column affiliate_id uuid,
  add constraint portal_sessions_affiliate check (affiliate_id is null or limited_to is not null),
  add foreign key (limited_to, affiliate_id) references affiliates (organization_id, id);
