-- What people decide about customers: moves to another affiliate, credits for payments, stops. They are facts like those of
-- processors.
alter table payment_facts drop constraint payment_facts_kind_check;
alter table payment_facts add constraint payment_facts_kind_check check (kind in ('checkout', 'customer', 'signup',
  'subscription', 'payment', 'charge', 'refund', 'dispute', 'refunded_total', 'link', 'amounts', 'products', 'override'));

-- The affiliate before a person moved the customer to `affiliate_id`; null: nobody did.
alter table referrals add column moved_from uuid;

create or replace function personal_fields(resource text) returns text[]
language sql immutable as $$
  select case resource
    when 'affiliate' then array['email', 'first_name', 'last_name', 'payout_email', 'details', 'note', 'custom_fields',
      'ref_codes', 'promo_codes', 'ban_reason']
    when 'promo_code' then array['code']
    when 'referral' then array['email']
    when 'member' then array['email']
    when 'invitation' then array['email']
    -- A reason is a free text that may name the affiliate.
    when 'override' then array['reason']
    else array[]::text[]
  end
$$;
