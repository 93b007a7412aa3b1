-- The reason for a ban, for the affiliate, who sees it in the portal. The API shows `banned` alone.
alter table affiliates
  add column ban_reason text,
  add constraint affiliates_ban_reason check (ban_reason is null or banned);

create function end_ban_reason() returns trigger language plpgsql as $$
begin
  new.ban_reason := null;
  return new;
end
$$;

-- Clients of the API end a ban without the column above.
create trigger ban_reason_ended before update on affiliates
  for each row when (new.ban_reason is not null and not new.banned)
  execute function end_ban_reason();

-- Staff write it about a person.
create or replace function personal_fields(resource text) returns text[]
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
