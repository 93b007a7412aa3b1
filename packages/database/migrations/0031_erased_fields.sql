-- Only personal values can be erased from the audit log, and only an entry's fields change at all: never its id, time, author
-- or currency, nor amounts and other values, nor the names and the order of the fields.

-- The fields that can identify a person. `packages/domain/src/erasure/audit-log.ts` has the same list.
create function personal_fields(resource text) returns text[]
language sql immutable as $$
  select case resource
    when 'affiliate' then array['email', 'first_name', 'last_name', 'payout_email', 'details', 'custom_fields',
      'ref_codes', 'promo_codes']
    when 'promo_code' then array['code']
    when 'organization' then array['owner_emails']
    else array[]::text[]
  end
$$;

-- Whether the fields are the former ones, with "[erased]" in place of some that may be erased. A null says that there was no
-- value, so it stays.
create function is_erasure(former json, fields json, names text[]) returns boolean
language sql immutable as $$
  select (former is null) = (fields is null) and not exists (
    select from json_each(former) with ordinality as old (key, value, place)
    full join json_each(fields) with ordinality as new (key, value, place) on old.place = new.place
    where old.key is distinct from new.key
      or (new.value::text <> old.value::text
        and not (new.key = any (names) and new.value::text = '"[erased]"' and json_typeof(old.value) <> 'null')))
$$;

create or replace function only_erased() returns trigger language plpgsql as $$
begin
  if to_jsonb(new) - array['before', 'after'] <> to_jsonb(old) - array['before', 'after']
    or not is_erasure(old.before, new.before, personal_fields(old.resource))
    or not is_erasure(old.after, new.after, personal_fields(old.resource))
  then
    raise exception 'changes: what was written stays' using errcode = 'integrity_constraint_violation';
  end if;
  return new;
end
$$;

drop function is_erasure(json, json);
