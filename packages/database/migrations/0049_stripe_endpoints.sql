-- A restricted key connects Stripe: the service creates the webhook endpoint there, checks it, and deletes it.

alter table processors
  -- Null until the endpoint is created: no message can be verified before.
  alter column secret_encrypted drop not null,
  -- The state of the endpoint that the service created; null: a person did.
  -- creating, deleting: a job does. failed, undeletable: Stripe refused. The others are what the last check found.
  add column endpoint_state text check (endpoint_state in
    ('creating', 'active', 'events_missing', 'disabled', 'deleted', 'moved', 'failed', 'deleting', 'undeletable')),
  -- Stripe's id of it, and the address that it was created with.
  add column endpoint_id text,
  add column endpoint_url text,
  -- Why it could not be created, checked or deleted.
  add column endpoint_error text,
  -- Idempotency key of a creation with an unknown result; null: none.
  add column endpoint_request_id uuid,
  -- What the key lacks, such as events:read. Null: unknown. Empty: nothing.
  add column missing_rights text[],
  add column rights_checked_at timestamptz,
  add constraint processors_endpoint check (
    (name = 'stripe' or endpoint_state is null)
    and (endpoint_state is not null or (endpoint_id is null and endpoint_url is null and endpoint_request_id is null))),
  -- Stripe shows a secret once: an endpoint is stored with its secret, or not at all.
  add constraint processors_secret check (
    secret_encrypted is not null or (endpoint_state is not null and endpoint_id is null));
