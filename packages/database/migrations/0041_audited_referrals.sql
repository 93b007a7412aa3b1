-- Referrals are in the audit log, and the addresses of customers in their entries can be erased.

create or replace function personal_fields(resource text) returns text[]
language sql immutable as $$
  select case resource
    when 'affiliate' then array['email', 'first_name', 'last_name', 'payout_email', 'details', 'custom_fields',
      'ref_codes', 'promo_codes']
    when 'promo_code' then array['code']
    when 'referral' then array['email']
    when 'member' then array['email']
    when 'invitation' then array['email']
    else array[]::text[]
  end
$$;
