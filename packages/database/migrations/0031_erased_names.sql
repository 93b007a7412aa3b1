-- Erased affiliates have a name for people in place of an address that never receives mail. `nameOf` in
-- `packages/contract/src/affiliates/name.ts` is the same rule.
create or replace function display_name(first_name text, last_name text, email text) returns text
language sql immutable parallel safe as $$
  select coalesce(nullif(btrim(first_name || ' ' || last_name,
    E' \t\n\u000B\f\r\u00A0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200A\u2028\u2029\u202F\u205F\u3000\uFEFF'),
    ''), case when email like '%@erased.invalid' then 'Erased affiliate' else email end)
$$;
