-- Campaigns: the terms on which affiliates earn.

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

  -- Who may join in the portal: `listed`, anyone, and the organization's page names the campaign; `by_link`, anyone who knows
  -- the campaign's address, which has its id; `closed`, nobody.
  joining text not null default 'by_link' check (joining in ('listed', 'by_link', 'closed')),

  primary key (organization_id, id),
  check ((limit_type = 'none') = (limit_amount is null)),
  check (code_mode = 'coupon' or website_url is not null),
  check (code_mode = 'link' or reference_coupon is not null)
);

create unique index campaigns_one_default on campaigns (organization_id) where is_default;
create index campaigns_listed on campaigns (organization_id, id) where joining = 'listed';
