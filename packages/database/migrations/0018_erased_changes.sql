-- Personal data can be erased from the audit log: a value becomes "[erased]". Everything else of an entry stays as it was
-- written: its id, its time, its author, the names of its fields, and all other values.

-- Whether the fields are the former ones, with nothing but erased values in place of some.
create function is_erasure(former json, fields json) returns boolean
language sql immutable as $$
  select (former is null) = (fields is null) and not exists (
    select from json_each(former) as old (key, value)
    full join json_each(fields) as new (key, value) on old.key = new.key
    where old.key is null or new.key is null
      or (new.value::text <> old.value::text and new.value::text <> '"[erased]"'))
$$;

-- The fields with these values erased; null values stay null.
create function erased(fields json, names text[]) returns json
language sql immutable as $$
  select case when fields is not null then coalesce((
    select json_object_agg(key, case when key = any (names) and json_typeof(value) <> 'null'
      then '"[erased]"'::json else value end order by place)
    from json_each(fields) with ordinality as field (key, value, place)), '{}') end
$$;

drop trigger never_changes on changes;
create trigger never_deleted before delete or truncate on changes
  for each statement execute function never_changes();

create function only_erased() returns trigger language plpgsql as $$
begin
  if (new.organization_id, new.id, new.resource, new.resource_id, new.action, new.actor, new.created_at)
      is distinct from (old.organization_id, old.id, old.resource, old.resource_id, old.action, old.actor, old.created_at)
    or new.currency is distinct from old.currency
    or not is_erasure(old.before, new.before) or not is_erasure(old.after, new.after)
  then
    raise exception 'changes: what was written stays' using errcode = 'integrity_constraint_violation';
  end if;
  return new;
end
$$;

create trigger only_erased before update on changes for each row execute function only_erased();
