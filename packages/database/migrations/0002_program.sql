-- The affiliate program: campaigns, affiliates, codes, referrals.
--
-- In every table of a tenant, the primary key begins with organization_id and every foreign key includes it, so that the
-- database refuses links between organizations. Ids are UUIDv7 made by the application from the row's created_at, so
-- that they sort by creation. Amounts (*_minor) are integers in the currency's minor unit.

create table campaigns (
  organization_id uuid not null references organizations (id),
  id uuid not null,
  name text not null,
  website_url text,
  is_default boolean not null,

  commission_type text not null check (commission_type in ('percentage', 'fixed')),
  -- Ten-thousandths of a percent, or minor units of the organization's currency.
  commission_value bigint not null check (commission_value > 0),
  first_payment_enabled boolean not null,
  first_payment_type text not null check (first_payment_type in ('percentage', 'fixed')),
  first_payment_value bigint not null check (first_payment_value >= 0),
  custom_commission_type text not null check (custom_commission_type in ('none', 'product')),
  -- [{"product_id", "type", "value"}]
  custom_commissions jsonb not null,
  limit_type text not null check (limit_type in ('none', 'months', 'payments')),
  limit_amount integer check (limit_amount > 0),
  -- True: a fixed commission is at most its payment.
  commission_cap boolean not null,
  -- True: payments for prorations earn nothing.
  skip_prorations boolean not null,

  code_mode text not null check (code_mode in ('link', 'coupon', 'both')),
  -- The coupon at the processor that promotion codes are made from.
  reference_coupon text,
  cookie_duration integer not null check (cookie_duration between 1 and 365),
  -- `new`: only customers who never paid before can be referred.
  customers text not null check (customers in ('new', 'any')),
  attribution text not null check (attribution in ('last_click', 'first_click')),

  approval_needed boolean not null,
  collect_details boolean not null,
  details_text text,
  -- [{"id", "label", "type", "options", "required"}]
  custom_fields jsonb not null,
  hide_emails boolean not null,
  welcome_message text,
  dashboard_text text,

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
  -- Answers to the campaign's custom fields: [{"id", "label", "value"}]
  custom_fields jsonb not null default '[]',
  new_paid_referral_notifications boolean not null,
  created_at timestamptz not null,
  -- Null: its personal data was not erased.
  erased_at timestamptz,
  primary key (organization_id, id),
  foreign key (organization_id, campaign_id) references campaigns (organization_id, id),
  -- An erased affiliate cannot take personal data again, and stays banned. `eraseAffiliateRow` in
  -- `packages/database/src/erasure.ts` writes these values.
  constraint affiliates_erased check (erased_at is null or (
    email = id::text || '@erased.invalid' and first_name = '' and last_name = '' and payout_email is null
    and details is null and custom_fields = '[]' and not new_paid_referral_notifications and banned))
) with (
  -- Clicks are counted in this row. Free space on its page keeps the new version of the row there without changes to
  -- the indexes, and early vacuums remove the old versions before reads of a popular link's row slow down.
  fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02
);

create trigger never_deleted before delete or truncate on affiliates
  for each statement execute function never_changes();

create unique index affiliates_campaign_email on affiliates (organization_id, campaign_id, lower(email));
create index affiliates_campaign on affiliates (organization_id, campaign_id, id);
create index affiliates_email on affiliates (organization_id, lower(email));
create index affiliates_name on affiliates (organization_id, lower(first_name || ' ' || last_name));
create index affiliates_last_name on affiliates (organization_id, lower(last_name));
create index affiliates_active on affiliates (organization_id, id) where approved and not banned;
create index affiliates_unapproved on affiliates (organization_id, id) where not approved;
create index affiliates_banned on affiliates (organization_id, id) where banned;

-- The codes that affiliates refer with: link codes, and promotion codes at the processor.
create table affiliate_codes (
  organization_id uuid not null,
  id uuid not null,
  affiliate_id uuid not null,
  kind text not null check (kind in ('link', 'promo')),
  code text not null,
  created_at timestamptz not null,

  -- The processor's id of the promotion code; null until it exists.
  external_id text,
  -- The text and the coupon that `external_id` was made with.
  external_code text,
  external_coupon text,
  -- True: it was made at the processor and linked here, so we never deactivate it.
  external_linked boolean not null default false,
  -- The next attempt to create or update it at the processor; null: done, or failed for good.
  due_at timestamptz,
  -- The idempotency key of that request, kept until the processor answers.
  external_request_id uuid,
  failures integer not null default 0,
  -- Why the processor refused it.
  reason text,

  primary key (organization_id, id),
  foreign key (organization_id, affiliate_id) references affiliates (organization_id, id),
  constraint affiliate_codes_external check (kind = 'promo' or due_at is null)
);

create unique index affiliate_codes_code on affiliate_codes (organization_id, kind, lower(code));
create index affiliate_codes_affiliate on affiliate_codes (organization_id, affiliate_id, id);
create index affiliate_codes_due on affiliate_codes (organization_id, due_at)
  where due_at is not null;
create index affiliate_codes_failed on affiliate_codes (organization_id, id)
  where reason is not null;

-- Every promotion code that an affiliate ever had, replaced ones included: payments made with them can be reported later.
create table promotion_codes (
  organization_id uuid not null,
  -- The processor's id.
  external_id text not null,
  affiliate_id uuid not null,
  -- When the affiliate got the code.
  created_at timestamptz not null,
  primary key (organization_id, external_id),
  foreign key (organization_id, affiliate_id) references affiliates (organization_id, id)
);

create table referrals (
  organization_id uuid not null,
  id uuid not null,
  affiliate_id uuid not null,
  email text not null,
  subscription_status text not null
    check (subscription_status in ('active', 'signed_up', 'trialing', 'canceled', 'past_due')),
  signup_date timestamptz not null,
  processor_customer_id text,
  -- The time of the first commission, which records the event `referral.converted` once.
  converted_at timestamptz,
  created_at timestamptz not null,

  -- The checkout or payment that created it, and its time. Null: it was created manually or by a sign-up.
  attributed_by text,
  attributed_at timestamptz,
  -- True: set manually. Otherwise attribution sets the value again whenever it runs for the customer.
  email_is_manual boolean not null default true,
  customer_id_is_manual boolean not null default true,
  -- The status of its subscriptions at the processor when attribution last ran. A status set manually stays until this
  -- one changes.
  processor_status text check (processor_status in ('active', 'trialing', 'past_due', 'canceled')),
  -- When later reports showed that its customer belongs to another referral, or to none. Its email and customer id are
  -- free for another referral from then on.
  replaced_at timestamptz,

  primary key (organization_id, id),
  foreign key (organization_id, affiliate_id) references affiliates (organization_id, id),
  constraint referrals_attributed check ((attributed_by is null) = (attributed_at is null))
);

create trigger never_deleted before delete or truncate on referrals
  for each statement execute function never_changes();

-- The dashboard counts an affiliate's referrals from this index alone.
create index referrals_affiliate on referrals (organization_id, affiliate_id, id) include (converted_at, replaced_at);
create index referrals_subscription_status on referrals (organization_id, subscription_status, id);
create index referrals_attributed_by on referrals (organization_id, attributed_by) where attributed_by is not null;
create unique index referrals_email on referrals (organization_id, lower(email)) where replaced_at is null;
create unique index referrals_processor_customer_id on referrals (organization_id, processor_customer_id)
  where replaced_at is null;

-- Postgres keeps no statistics of an expression that only a partial index has, and would scan all referrals.
create statistics referrals_lower_email on lower(email) from referrals;
