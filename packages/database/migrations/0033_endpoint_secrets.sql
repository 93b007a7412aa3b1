-- Signing secrets of webhook endpoints. Any number is valid at once, and each has its own end.

create table endpoint_secrets (
  organization_id uuid not null,
  endpoint_id uuid not null,
  id uuid not null,
  -- AES-256-GCM under SECRETS_KEY.
  secret_encrypted bytea not null,
  created_at timestamptz not null,
  -- Null: the current secret. Until then a former one signs, too.
  expires_at timestamptz,
  primary key (organization_id, endpoint_id, id),
  foreign key (organization_id, endpoint_id) references endpoints (organization_id, id) on delete cascade
);

create unique index endpoint_secrets_current on endpoint_secrets (organization_id, endpoint_id)
  where expires_at is null;
create index endpoint_secrets_expires_at on endpoint_secrets (expires_at) where expires_at is not null;

insert into endpoint_secrets (organization_id, endpoint_id, id, secret_encrypted, created_at, expires_at)
select organization_id, id, gen_random_uuid(), secret_encrypted,
  -- Rotations kept the former secret for 24 hours.
  coalesce(previous_secret_expires_at - interval '24 hours', created_at), null
from endpoints
union all
select organization_id, id, gen_random_uuid(), previous_secret_encrypted, created_at, previous_secret_expires_at
from endpoints
where previous_secret_expires_at > now();

alter table endpoints
  drop column secret_encrypted,
  -- And with them the constraint that both are null or none is.
  drop column previous_secret_encrypted,
  drop column previous_secret_expires_at;
