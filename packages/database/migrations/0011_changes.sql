-- Who changed what: one line for each change of a thing. Never changed, never deleted.

create table changes (
  organization_id uuid not null references organizations (id),
  -- A UUIDv7 of created_at, so that a time is a range of ids.
  id uuid not null,
  resource text not null,
  -- A UUID; of a connection to a processor its name.
  resource_id text not null,
  action text not null,
  -- A key, the operator, or a job.
  actor text not null check (actor <> ''),
  -- The fields that differ, as the API shows them; of what is created or deleted all. Never a secret, nor its hash.
  before json,
  after json,
  -- Of the amounts among them.
  currency text check (currency ~ '^[A-Z]{3}$'),
  created_at timestamptz not null,
  primary key (organization_id, id),
  check ((action = 'created') = (before is null)),
  check ((action = 'deleted') = (after is null))
);

-- Each way to look finds its rows in their order, so that a page costs the same however many there are.
create index changes_resource on changes (organization_id, resource, id);
create index changes_resource_id on changes (organization_id, resource_id, id);
create index changes_actor on changes (organization_id, actor, id);
-- As one value: an index that begins with actor as another one does would now and then not be the one that is taken.
create index changes_actor_resource on changes (organization_id, (actor || ' ' || resource), id);

create trigger never_changes before update or delete or truncate on changes
  for each statement execute function never_changes();
