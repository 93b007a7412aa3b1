-- The service itself: the check of its key, and responses to requests that clients repeat.

-- A known text, encrypted under SECRETS_KEY: distinguishes a damaged secret from a wrong key. The first start writes it.
create table secrets_key_check (
  one boolean primary key default true check (one),
  sealed bytea not null
);

-- Responses of requests with an Idempotency-Key, written in the transaction of the change. No foreign key, as in
-- events.
create table idempotency_keys (
  organization_id uuid not null,
  key text not null,
  -- SHA-256 of the operation and its input: the same key with another request is a conflict.
  request_hash bytea not null,
  response text not null,
  created_at timestamptz not null,
  primary key (organization_id, key)
);

create index idempotency_keys_created_at on idempotency_keys (created_at);
