-- The audit log: one entry per change of a resource. Entries are never deleted, and never change, except that personal
-- data in them can be erased.

create table audit_log_entries (
  organization_id uuid not null references organizations (id),
  -- A UUIDv7 of created_at, so that a period is a range of ids.
  id uuid not null,
  resource text not null,
  -- A UUID; of a processor connection, its name.
  resource_id text not null,
  action text not null,
  -- An API key, the operator, or a job.
  actor text not null check (actor <> ''),
  -- The fields that changed, in the API's form; of created or deleted resources, all fields. Never a secret or its hash.
  before json,
  after json,
  -- The currency of the amounts among them.
  currency text check (currency ~ '^[A-Z]{3}$'),
  created_at timestamptz not null,
  primary key (organization_id, id),
  check ((action = 'created') = (before is null)),
  check ((action = 'deleted') = (after is null))
);

-- One index per filter, in the order of the list, so that a page costs the same however long the log is.
create index audit_log_entries_resource on audit_log_entries (organization_id, resource, id);
create index audit_log_entries_resource_id on audit_log_entries (organization_id, resource_id, id);
create index audit_log_entries_actor on audit_log_entries (organization_id, actor, id);
-- As one value: the planner would sometimes choose an index on (actor, resource) where audit_log_entries_actor is right.
create index audit_log_entries_actor_resource on audit_log_entries (organization_id, (actor || ' ' || resource), id);

-- The fields that can identify a person. `packages/domain/src/erasure/audit-log.ts` has the same list.
create function personal_fields(resource text) returns text[]
language sql immutable as $$
  select case resource
    when 'affiliate' then array['email', 'first_name', 'last_name', 'payout_email', 'details', 'custom_fields',
      'ref_codes', 'promo_codes', 'ban_reason']
    when 'promo_code' then array['code']
    when 'referral' then array['email']
    when 'member' then array['email']
    when 'invitation' then array['email']
    else array[]::text[]
  end
$$;

-- The fields with the named values erased; null values stay null.
create function erased(fields json, names text[]) returns json
language sql immutable as $$
  select case when fields is not null then coalesce((
    select json_object_agg(key, case when key = any (names) and json_typeof(value) <> 'null'
      then '"[erased]"'::json else value end order by place)
    from json_each(fields) with ordinality as field (key, value, place)), '{}') end
$$;

-- Whether `fields` is `former` with "[erased]" in place of some values that may be erased. A null is not a value.
create function is_erasure(former json, fields json, names text[]) returns boolean
language sql immutable as $$
  select (former is null) = (fields is null) and not exists (
    select from json_each(former) with ordinality as old (key, value, place)
    full join json_each(fields) with ordinality as new (key, value, place) on old.place = new.place
    where old.key is distinct from new.key
      or (new.value::text <> old.value::text
        and not (new.key = any (names) and new.value::text = '"[erased]"' and json_typeof(old.value) <> 'null')))
$$;

create function only_erased() returns trigger language plpgsql as $$
begin
  if to_jsonb(new) - array['before', 'after'] <> to_jsonb(old) - array['before', 'after']
    or not is_erasure(old.before, new.before, personal_fields(old.resource))
    or not is_erasure(old.after, new.after, personal_fields(old.resource))
  then
    raise exception 'audit_log_entries is append-only' using errcode = 'FF001';
  end if;
  return new;
end
$$;

create trigger only_erased before update on audit_log_entries for each row execute function only_erased();
create trigger never_deleted before delete or truncate on audit_log_entries
  for each statement execute function never_changes();
