-- The affiliate program. Every primary key is (organization_id, id) and every foreign key carries
-- organization_id, so the database itself refuses a link from one organization to another's rows.
-- Ids are UUIDv7 made by the application from the row's created_at: their order is the order of creation.
-- Amounts (*_minor) are integers in the currency's minor unit.

create table campaigns (
  organization_id uuid not null references organizations (id),
  id uuid not null,
  name text not null,
  website_url text,
  commission_type text not null check (commission_type in ('percentage', 'fixed')),
  -- Ten-thousandths of a percent, or minor units of the organization's currency.
  commission_value bigint not null check (commission_value > 0),
  is_default boolean not null,
  limit_type text not null check (limit_type in ('none', 'months', 'payments')),
  limit_amount integer check (limit_amount > 0),
  code_mode text not null check (code_mode in ('link', 'coupon', 'both')),
  reference_coupon text,
  custom_commission_type text not null check (custom_commission_type in ('none', 'product')),
  custom_commissions jsonb not null,
  welcome_message text,
  approval_needed boolean not null,
  collect_details boolean not null,
  details_text text,
  custom_fields jsonb not null,
  hide_emails boolean not null,
  dashboard_text text,
  cookie_duration integer not null check (cookie_duration between 1 and 365),
  first_payment_enabled boolean not null,
  first_payment_type text not null check (first_payment_type in ('percentage', 'fixed')),
  first_payment_value bigint not null check (first_payment_value >= 0),
  created_at timestamptz not null,
  primary key (organization_id, id),
  check ((limit_type = 'none') = (limit_amount is null)),
  check (code_mode = 'coupon' or website_url is not null),
  check (code_mode = 'link' or reference_coupon is not null)
);

create unique index campaigns_one_default on campaigns (organization_id) where is_default;

create table affiliates (
  organization_id uuid not null,
  id uuid not null,
  campaign_id uuid not null,
  email text not null,
  first_name text not null,
  last_name text not null,
  payout_email text,
  clicks bigint not null default 0 check (clicks >= 0),
  approved boolean not null,
  banned boolean not null default false,
  details text,
  custom_fields jsonb not null default '[]',
  new_paid_referral_notifications boolean not null,
  created_at timestamptz not null,
  primary key (organization_id, id),
  foreign key (organization_id, campaign_id) references campaigns (organization_id, id)
);

create unique index affiliates_campaign_email on affiliates (organization_id, campaign_id, lower(email));
create index affiliates_campaign on affiliates (organization_id, campaign_id, id);
create index affiliates_email on affiliates (organization_id, lower(email));
create index affiliates_unapproved on affiliates (organization_id, id) where not approved;
create index affiliates_banned on affiliates (organization_id, id) where banned;

-- What an affiliate refers with: the code in a link, or a promotion code at the payment processor.
create table affiliate_codes (
  organization_id uuid not null,
  id uuid not null,
  affiliate_id uuid not null,
  kind text not null check (kind in ('link', 'promo')),
  code text not null,
  external_id text,
  created_at timestamptz not null,
  primary key (organization_id, id),
  foreign key (organization_id, affiliate_id) references affiliates (organization_id, id)
);

create unique index affiliate_codes_code on affiliate_codes (organization_id, kind, lower(code));
create index affiliate_codes_affiliate on affiliate_codes (organization_id, affiliate_id, id);

create table referrals (
  organization_id uuid not null,
  id uuid not null,
  affiliate_id uuid not null,
  email text not null,
  subscription_status text not null
    check (subscription_status in ('active', 'signed_up', 'trialing', 'canceled', 'past_due')),
  signup_date timestamptz not null,
  processor_customer_id text,
  -- When the first commission came: the move that `referral.converted` tells of, made once.
  converted_at timestamptz,
  created_at timestamptz not null,
  primary key (organization_id, id),
  foreign key (organization_id, affiliate_id) references affiliates (organization_id, id)
);

create unique index referrals_email on referrals (organization_id, lower(email));
create unique index referrals_processor_customer_id on referrals (organization_id, processor_customer_id);
create index referrals_affiliate on referrals (organization_id, affiliate_id, id);
create index referrals_subscription_status on referrals (organization_id, subscription_status, id);

create table payouts (
  organization_id uuid not null,
  id uuid not null,
  affiliate_id uuid not null,
  affiliate_name text not null,
  payout_email text,
  amount_minor bigint not null,
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  period text not null check (period ~ '^[0-9]{4}-(0[1-9]|1[0-2])$'),
  payment_count integer not null check (payment_count > 0),
  status text not null check (status in ('pending', 'processing', 'paid', 'failed', 'canceled')),
  method text not null check (method in ('manual', 'paypal', 'wise')),
  created_at timestamptz not null,
  primary key (organization_id, id),
  foreign key (organization_id, affiliate_id) references affiliates (organization_id, id)
);

create index payouts_affiliate on payouts (organization_id, affiliate_id, id);
create index payouts_status on payouts (organization_id, status, id);
create index payouts_period on payouts (organization_id, period, id);

create table commissions (
  organization_id uuid not null,
  id uuid not null,
  affiliate_id uuid not null,
  referral_id uuid not null,
  payout_id uuid,
  revenue_minor bigint not null,
  commission_minor bigint not null,
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  payout_status text not null check (payout_status in ('not_paid', 'pending', 'paid', 'voided')),
  referral_date timestamptz not null,
  processor_payment_id text,
  -- The commission that this one takes back, after it had gone into a payout.
  reversal_of uuid,
  created_at timestamptz not null,
  primary key (organization_id, id),
  foreign key (organization_id, affiliate_id) references affiliates (organization_id, id),
  foreign key (organization_id, referral_id) references referrals (organization_id, id),
  foreign key (organization_id, payout_id) references payouts (organization_id, id),
  foreign key (organization_id, reversal_of) references commissions (organization_id, id),
  check (reversal_of is not null or (revenue_minor > 0 and commission_minor > 0)),
  check ((payout_status in ('pending', 'paid')) = (payout_id is not null))
);

create unique index commissions_processor_payment_id on commissions (organization_id, processor_payment_id)
  where processor_payment_id is not null and reversal_of is null;
create index commissions_affiliate on commissions (organization_id, affiliate_id, id);
create index commissions_referral on commissions (organization_id, referral_id, id);
create index commissions_payout_status on commissions (organization_id, payout_status, id);
create index commissions_payout on commissions (organization_id, payout_id) where payout_id is not null;
