-- People give a reason when they void or correct a commission, which its history shows. A reason is a free text that may name the
-- affiliate, as one of an override is.
create or replace function personal_fields(resource text) returns text[]
language sql immutable as $$
  select case resource
    when 'affiliate' then array['email', 'first_name', 'last_name', 'payout_email', 'details', 'note', 'custom_fields',
      'ref_codes', 'promo_codes', 'ban_reason']
    when 'promo_code' then array['code']
    when 'referral' then array['email']
    when 'member' then array['email']
    when 'invitation' then array['email']
    when 'override' then array['reason']
    when 'commission' then array['reason']
    else array[]::text[]
  end
$$;
