-- The reason for a ban names the person, so an erased affiliate can take none.
alter table affiliates
  drop constraint affiliates_erased,
  add constraint affiliates_erased check (erased_at is null or (
    email = id::text || '@erased.invalid' and first_name = '' and last_name = '' and payout_email is null
    and details is null and note is null and custom_fields = '[]' and ban_reason is null
    and not new_paid_referral_notifications and banned));

-- The name that people see of an affiliate or a user: both names, or the email of those without one. `nameOf` in
-- `packages/contract/src/affiliates/name.ts` is the same rule, with the same white space. Postgres expands the call in
-- the statement, so it costs no more than its expression.
create function display_name(first_name text, last_name text, email text) returns text
language sql immutable parallel safe as $$
  select coalesce(nullif(btrim(first_name || ' ' || last_name,
    E' \t\n\u000B\f\r\u00A0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200A\u2028\u2029\u202F\u205F\u3000\uFEFF'),
    ''), email)
$$;
