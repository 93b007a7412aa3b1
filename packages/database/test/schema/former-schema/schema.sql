-- The statements of the 48 migrations that were there before the baseline, without their comments, and the rows that they left in
-- `schema_migrations`.
create function is_minimum_payouts(minimums jsonb) returns boolean
language sql immutable as $$
  select jsonb_typeof(minimums) = 'object' and not exists (
    select from jsonb_each(minimums)
    where key !~ '^[A-Z]{3}$' or jsonb_typeof(value) <> 'string' or value #>> '{}' !~ '^[1-9][0-9]{0,17}$')
$$;
create function never_changes() returns trigger language plpgsql as $$
begin
  raise exception '% is append-only', tg_table_name using errcode = 'FF001';
end
$$;
create table organizations (
  id uuid primary key,
  name text not null,
  slug text not null check (slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$' and length(slug) <= 63),
  time_zone text not null default 'UTC',
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  subscription_status text not null check (subscription_status in ('active', 'trialing', 'past_due', 'canceled')),
  hold_days integer not null default 15 check (hold_days between 0 and 365),
  minimum_payouts jsonb not null default '{}' check (is_minimum_payouts(minimum_payouts)),
  payout_day integer check (payout_day between 1 and 28),
  public_signups text not null default 'on' check (public_signups in ('on', 'signed', 'off')),
  signup_secret_encrypted bytea,
  previous_signup_secret_encrypted bytea,
  previous_signup_secret_expires_at timestamptz,
  created_at timestamptz not null
);
create unique index organizations_slug on organizations (slug);
create table api_keys (
  organization_id uuid not null references organizations (id),
  id uuid not null,
  kind text not null check (kind in ('secret', 'publishable')),
  name text not null,
  hash bytea not null check (octet_length(hash) = 32),
  last_four text not null,
  publishable_key text check ((kind = 'publishable') = (publishable_key is not null)),
  scopes text[] not null check (scopes <@ array['read', 'write', 'view', 'admin', 'track']),
  created_at timestamptz not null,
  created_by text not null,
  last_used_at timestamptz,
  expires_at timestamptz,
  revoked_at timestamptz,
  primary key (organization_id, id)
);
create unique index api_keys_hash on api_keys (hash);
create table campaigns (
  organization_id uuid not null references organizations (id),
  id uuid not null,
  name text not null,
  website_url text,
  is_default boolean not null,
  commission_type text not null check (commission_type in ('percentage', 'fixed')),
  commission_value bigint not null check (commission_value > 0),
  first_payment_enabled boolean not null,
  first_payment_type text not null check (first_payment_type in ('percentage', 'fixed')),
  first_payment_value bigint not null check (first_payment_value >= 0),
  custom_commission_type text not null check (custom_commission_type in ('none', 'product')),
  custom_commissions jsonb not null,
  limit_type text not null check (limit_type in ('none', 'months', 'payments')),
  limit_amount integer check (limit_amount > 0),
  commission_cap boolean not null,
  skip_prorations boolean not null,
  code_mode text not null check (code_mode in ('link', 'coupon', 'both')),
  reference_coupon text,
  cookie_duration integer not null check (cookie_duration between 1 and 365),
  customers text not null check (customers in ('new', 'any')),
  attribution text not null check (attribution in ('last_click', 'first_click')),
  approval_needed boolean not null,
  collect_details boolean not null,
  details_text text,
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
  custom_fields jsonb not null default '[]',
  new_paid_referral_notifications boolean not null,
  created_at timestamptz not null,
  erased_at timestamptz,
  primary key (organization_id, id),
  foreign key (organization_id, campaign_id) references campaigns (organization_id, id),
  constraint affiliates_erased check (erased_at is null or (
    email = id::text || '@erased.invalid' and first_name = '' and last_name = '' and payout_email is null
    and details is null and custom_fields = '[]' and not new_paid_referral_notifications and banned))
) with (
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
create table affiliate_codes (
  organization_id uuid not null,
  id uuid not null,
  affiliate_id uuid not null,
  kind text not null check (kind in ('link', 'promo')),
  code text not null,
  created_at timestamptz not null,
  external_id text,
  external_code text,
  external_coupon text,
  external_linked boolean not null default false,
  due_at timestamptz,
  external_request_id uuid,
  failures integer not null default 0,
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
create table promotion_codes (
  organization_id uuid not null,
  external_id text not null,
  affiliate_id uuid not null,
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
  converted_at timestamptz,
  created_at timestamptz not null,
  attributed_by text,
  attributed_at timestamptz,
  email_is_manual boolean not null default true,
  customer_id_is_manual boolean not null default true,
  processor_status text check (processor_status in ('active', 'trialing', 'past_due', 'canceled')),
  replaced_at timestamptz,
  primary key (organization_id, id),
  foreign key (organization_id, affiliate_id) references affiliates (organization_id, id),
  constraint referrals_attributed check ((attributed_by is null) = (attributed_at is null))
);
create trigger never_deleted before delete or truncate on referrals
  for each statement execute function never_changes();
create index referrals_affiliate on referrals (organization_id, affiliate_id, id) include (converted_at, replaced_at);
create index referrals_subscription_status on referrals (organization_id, subscription_status, id);
create index referrals_attributed_by on referrals (organization_id, attributed_by) where attributed_by is not null;
create unique index referrals_email on referrals (organization_id, lower(email)) where replaced_at is null;
create unique index referrals_processor_customer_id on referrals (organization_id, processor_customer_id)
  where replaced_at is null;
create statistics referrals_lower_email on lower(email) from referrals;
create table clicks (
  organization_id uuid not null,
  id uuid not null,
  affiliate_id uuid not null,
  code text not null,
  visitor_hash bytea not null,
  landing_url text,
  referrer text,
  clicked_at timestamptz not null,
  primary key (organization_id, id, clicked_at)
) partition by range (clicked_at);
create unlogged table counted_clicks (
  hour timestamptz not null,
  link_visitor bigint not null,
  organization_id uuid not null,
  affiliate_id uuid not null,
  primary key (hour, link_visitor)
);
create table commissions (
  organization_id uuid not null,
  id uuid not null,
  affiliate_id uuid not null,
  referral_id uuid not null,
  revenue_minor bigint not null,
  commission_minor bigint not null,
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  voided boolean not null default false,
  referral_date timestamptz not null,
  payable_at timestamptz not null,
  processor_payment_id text,
  reversal_of uuid,
  cause text not null,
  created_at timestamptz not null,
  primary key (organization_id, id),
  check (reversal_of is not null or (revenue_minor > 0 and commission_minor > 0))
);
create unique index commissions_processor_payment_id on commissions (organization_id, processor_payment_id)
  where processor_payment_id is not null and reversal_of is null;
create index commissions_affiliate on commissions (organization_id, affiliate_id, id);
create index commissions_referral on commissions (organization_id, referral_id, id);
create index commissions_reversal_of on commissions (organization_id, reversal_of) where reversal_of is not null;
create index commissions_voided on commissions (organization_id, id) where voided;
create trigger never_deleted before delete or truncate on commissions
  for each statement execute function never_changes();
create table commission_corrections (
  organization_id uuid not null,
  commission_id uuid not null,
  revenue_minor bigint,
  commission_minor bigint,
  reversed_minor bigint not null,
  voided boolean,
  referral_date timestamptz,
  corrected_at timestamptz not null,
  primary key (organization_id, commission_id),
  foreign key (organization_id, commission_id) references commissions (organization_id, id)
);
create table payout_runs (
  organization_id uuid not null references organizations (id),
  id uuid not null,
  period text not null check (period ~ '^[0-9]{4}-(0[1-9]|1[0-2])$'),
  cutoff_at timestamptz not null,
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  minimum_payouts jsonb not null default '{}' check (is_minimum_payouts(minimum_payouts)),
  method text not null check (method in ('manual', 'paypal', 'wise')),
  started_by text not null,
  created_at timestamptz not null,
  finished_at timestamptz,
  due_at timestamptz default now(),
  failures integer not null default 0,
  reason text,
  primary key (organization_id, id),
  check ((finished_at is null) = (due_at is not null))
);
create unique index payout_runs_period on payout_runs (organization_id, period);
create index payout_runs_due on payout_runs (organization_id, due_at) where due_at is not null;
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
  method text not null check (method in ('manual', 'paypal', 'wise')),
  run_id uuid,
  status text not null check (status in ('pending', 'processing', 'paid', 'failed', 'canceled')),
  status_at timestamptz not null,
  status_by text not null,
  status_reason text,
  created_at timestamptz not null,
  foreign key (organization_id, affiliate_id) references affiliates (organization_id, id),
  constraint payouts_run foreign key (organization_id, run_id) references payout_runs (organization_id, id),
  constraint payouts_amount check (amount_minor > 0)
);
create index payouts_affiliate on payouts (organization_id, affiliate_id, id);
create index payouts_status on payouts (organization_id, status, id);
create index payouts_period on payouts (organization_id, period, id);
create unique index payouts_run on payouts (organization_id, run_id, affiliate_id, currency) where run_id is not null;
alter table payouts add primary key (organization_id, id);
create trigger never_deleted before delete or truncate on payouts
  for each statement execute function never_changes();
create trigger never_changes
  before update of affiliate_id, amount_minor, currency, period, payment_count, run_id on payouts
  for each statement execute function never_changes();
create table payout_commissions (
  organization_id uuid not null,
  affiliate_id uuid not null,
  commission_id uuid not null,
  payout_id uuid not null,
  primary key (organization_id, affiliate_id, commission_id)
);
create index payout_commissions_payout on payout_commissions (organization_id, payout_id);
create trigger never_changes before update or truncate on payout_commissions
  for each statement execute function never_changes();
create table ledger_entries (
  organization_id uuid not null,
  number bigint generated always as identity,
  affiliate_id uuid not null,
  currency text not null,
  commission_id uuid,
  payout_id uuid,
  commission_ids uuid[],
  kind text not null,
  unpaid_minor bigint not null default 0,
  in_payout_minor bigint not null default 0,
  paid_minor bigint not null default 0,
  cause text not null,
  created_at timestamptz not null default clock_timestamp(),
  primary key (organization_id, affiliate_id, number)
);
create index ledger_entries_commission on ledger_entries (organization_id, commission_id)
  where commission_id is not null;
create index ledger_entries_payout on ledger_entries (organization_id, payout_id) where payout_id is not null;
create trigger never_changes before update or delete or truncate on ledger_entries
  for each statement execute function never_changes();
create table balances (
  organization_id uuid not null,
  affiliate_id uuid not null,
  currency text not null,
  earned_minor bigint not null default 0,
  lost_minor bigint not null default 0,
  unpaid_minor bigint not null default 0,
  in_payout_minor bigint not null default 0,
  paid_minor bigint not null default 0,
  primary key (organization_id, affiliate_id, currency),
  foreign key (organization_id, affiliate_id) references affiliates (organization_id, id),
  check (earned_minor - lost_minor = unpaid_minor + in_payout_minor + paid_minor and earned_minor >= 0)
) with (fillfactor = 70);
create table unpaid_commissions (
  organization_id uuid not null,
  commission_id uuid not null,
  affiliate_id uuid not null,
  currency text not null,
  commission_minor bigint not null,
  due_at timestamptz not null,
  primary key (organization_id, commission_id)
);
create index unpaid_commissions_due on unpaid_commissions (organization_id, affiliate_id, currency, due_at)
  include (commission_minor);
create trigger never_truncated before truncate on unpaid_commissions
  for each statement execute function never_changes();
create function payout_status(voided boolean, payout_id uuid, status text) returns text language sql immutable
return case when voided then 'voided' when payout_id is null then 'not_paid' when status = 'paid' then 'paid'
  else 'pending' end;
create view commission_states as
select commission.*, placed.payout_id, payout_status(commission.voided, placed.payout_id, payout.status) as payout_status
from commissions commission
left join lateral (
  select payout_id from payout_commissions
  where organization_id = commission.organization_id and affiliate_id = commission.affiliate_id
    and commission_id = commission.id
  offset 0
) as placed on true
left join lateral (
  select status from payouts where organization_id = commission.organization_id and id = placed.payout_id offset 0
) as payout on true;
create table processors (
  organization_id uuid not null references organizations (id),
  name text not null check (name in ('stripe', 'generic')),
  secret_encrypted bytea not null,
  previous_secret_encrypted bytea,
  previous_secret_expires_at timestamptz,
  api_key_encrypted bytea,
  api_key_last_four text,
  livemode boolean not null,
  connected_accounts text[] not null default '{}' check (name = 'stripe' or connected_accounts = '{}'),
  created_at timestamptz not null,
  reconciled_at timestamptz,
  reconcile_started_at timestamptz,
  reconcile_since timestamptz,
  reconcile_after text,
  events_checked_at timestamptz,
  missing_events text[],
  events_check_error text,
  primary key (organization_id, name),
  check ((previous_secret_encrypted is null) = (previous_secret_expires_at is null)),
  check ((api_key_encrypted is null) = (api_key_last_four is null)),
  check ((reconcile_started_at is null) = (reconcile_since is null))
);
create table processor_messages (
  organization_id uuid not null,
  processor text not null check (processor in ('stripe', 'generic')),
  id text not null,
  type text not null,
  body text not null,
  account text,
  state text not null check (state in ('received', 'done', 'skipped', 'parked')),
  reason text,
  failures integer not null default 0,
  due_at timestamptz,
  occurred_at timestamptz not null,
  received_at timestamptz not null,
  source text not null check (source in ('webhook', 'reconciliation', 'lookup')),
  primary key (organization_id, processor, id),
  check ((state = 'received') = (due_at is not null))
) with (
  fillfactor = 90, autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_insert_scale_factor = 0.05,
  autovacuum_analyze_scale_factor = 0.05
);
create index processor_messages_due on processor_messages (organization_id, due_at) where due_at is not null;
create index processor_messages_parked on processor_messages (organization_id, received_at, processor, id)
  where state = 'parked';
create index processor_messages_received on processor_messages (organization_id, received_at, processor, id);
create table payment_facts (
  organization_id uuid not null,
  processor text not null,
  kind text not null check (kind in ('checkout', 'customer', 'signup', 'subscription', 'payment', 'charge', 'refund',
    'dispute', 'refunded_total', 'link', 'amounts', 'products')),
  subject text not null,
  customer_id uuid not null,
  state_at timestamptz not null,
  rank integer not null,
  message_id text not null,
  data jsonb not null,
  snapshot jsonb,
  lookup text,
  primary key (organization_id, processor, kind, subject)
);
create index payment_facts_customer on payment_facts (organization_id, customer_id);
create index payment_facts_promotion_codes on payment_facts
  using gin ((jsonb_path_query_array(data, '$.*[*].external_id')))
  where data @? '$.*[*].external_id ? (@ != null)';
create table customer_keys (
  organization_id uuid not null,
  key text not null,
  customer_id uuid not null,
  primary key (organization_id, key)
);
create index customer_keys_customer on customer_keys (organization_id, customer_id);
create table payment_decisions (
  organization_id uuid not null,
  id uuid not null,
  processor text not null,
  payment_id text not null,
  customer_id uuid not null,
  outcome text not null,
  referral_id uuid,
  affiliate_id uuid,
  commission_id uuid,
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  revenue_minor bigint not null,
  commission_minor bigint not null,
  paid_minor bigint not null,
  reversed_minor bigint not null,
  paid_at timestamptz not null,
  explanation json not null,
  created_at timestamptz not null,
  decided_at timestamptz not null,
  replaced_at timestamptz,
  taken_over_from text,
  primary key (organization_id, id)
);
create unique index payment_decisions_payment on payment_decisions (organization_id, processor, payment_id);
create index payment_decisions_customer on payment_decisions (organization_id, customer_id);
create index payment_decisions_paid on payment_decisions (organization_id, paid_at, id) where replaced_at is null;
create index payment_decisions_outcome on payment_decisions (organization_id, outcome, paid_at, id)
  where replaced_at is null;
create index payment_decisions_affiliate on payment_decisions (organization_id, affiliate_id, id);
create index payment_decisions_referral on payment_decisions (organization_id, referral_id, id);
create index payment_decisions_commission on payment_decisions (organization_id, commission_id)
  where commission_id is not null;
create table processor_lookups (
  organization_id uuid not null,
  processor text not null check (processor = 'stripe'),
  kind text not null,
  subject text not null,
  purpose text not null check (purpose in ('products', 'payment', 'amounts', 'promo_codes')),
  object_id text not null,
  account text,
  wanted_at timestamptz(3) not null,
  due_at timestamptz,
  failures integer not null default 0,
  reason text,
  answered_at timestamptz,
  primary key (organization_id, processor, kind, subject),
  foreign key (organization_id, processor, kind, subject)
    references payment_facts (organization_id, processor, kind, subject)
);
create index processor_lookups_due on processor_lookups (organization_id, purpose, due_at) where due_at is not null;
create index processor_lookups_waiting on processor_lookups (organization_id, wanted_at, kind, subject)
  where answered_at is null;
create index processor_lookups_wanted on processor_lookups (wanted_at);
create index processor_lookups_object on processor_lookups (organization_id, object_id, answered_at);
create table event_clock (
  one boolean primary key default true check (one),
  xid_offset bigint not null
);
insert into event_clock (xid_offset) values (0);
create table events (
  organization_id uuid not null,
  id uuid not null,
  type text not null check (type in
    ('affiliate.created', 'affiliate.approved', 'referral.created', 'referral.converted', 'commission.created')),
  body text not null,
  position bigint not null,
  test boolean not null default false,
  created_at timestamptz not null,
  primary key (organization_id, id)
);
create index events_position on events (organization_id, position, id);
create table idempotency_keys (
  organization_id uuid not null,
  key text not null,
  request_hash bytea not null,
  response text not null,
  created_at timestamptz not null,
  primary key (organization_id, key)
);
create index idempotency_keys_created_at on idempotency_keys (created_at);
create table endpoints (
  organization_id uuid not null references organizations (id),
  id uuid not null,
  shard smallint not null generated always as (get_byte(uuid_send(id), 15) % 32) stored,
  url text not null,
  description text not null,
  event_types text[] check (cardinality(event_types) > 0),
  campaign_ids uuid[] check (cardinality(campaign_ids) > 0),
  requests_per_second integer check (requests_per_second between 1 and 1000),
  ordered boolean not null default false,
  custom_headers jsonb not null default '[]',
  custom_headers_encrypted bytea,
  enabled boolean not null,
  disabled_at timestamptz,
  disabled_reason text check (disabled_reason in ('operator', 'gone', 'failing', 'secret')),
  created_at timestamptz not null,
  primary key (organization_id, id),
  constraint endpoints_custom_headers check
    ((custom_headers_encrypted is null) = (jsonb_array_length(custom_headers) = 0)),
  constraint endpoints_disabled check (enabled = (disabled_at is null)),
  constraint endpoints_disabled_reason check (enabled = (disabled_reason is null))
);
create table endpoint_secrets (
  organization_id uuid not null,
  endpoint_id uuid not null,
  id uuid not null,
  secret_encrypted bytea not null,
  created_at timestamptz not null,
  expires_at timestamptz,
  primary key (organization_id, endpoint_id, id),
  foreign key (organization_id, endpoint_id) references endpoints (organization_id, id) on delete cascade
);
create unique index endpoint_secrets_current on endpoint_secrets (organization_id, endpoint_id)
  where expires_at is null;
create index endpoint_secrets_expires_at on endpoint_secrets (expires_at) where expires_at is not null;
create table endpoint_health (
  organization_id uuid not null,
  endpoint_id uuid not null,
  failures integer not null default 0,
  failing_since timestamptz,
  last_failed_at timestamptz,
  primary key (organization_id, endpoint_id),
  foreign key (organization_id, endpoint_id) references endpoints (organization_id, id) on delete cascade
);
create table pending_deliveries (
  shard smallint not null,
  organization_id uuid not null,
  endpoint_id uuid not null,
  event_id uuid not null,
  priority smallint not null default 0,
  due_at timestamptz not null,
  attempts integer not null default 0,
  failures integer not null default 0,
  last_attempt_at timestamptz,
  created_at timestamptz not null,
  primary key (organization_id, endpoint_id, event_id)
) with (
  autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_insert_scale_factor = 0.05,
  autovacuum_analyze_scale_factor = 0.05
);
create index pending_deliveries_due
  on pending_deliveries (shard, organization_id, endpoint_id, priority, due_at);
create table attempts (
  organization_id uuid not null,
  event_id uuid not null,
  endpoint_id uuid not null,
  attempted_at timestamptz not null,
  number integer not null,
  duration_milliseconds integer,
  status integer,
  error_code text,
  error_message text,
  response text not null,
  ended text check (ended in ('delivered', 'exhausted', 'canceled')),
  primary key (organization_id, event_id, endpoint_id, number, attempted_at)
) partition by range (attempted_at);
create index attempts_ended on attempts (organization_id, endpoint_id, ended, event_id) where ended is not null;
create index attempts_failed on attempts (organization_id, ended, event_id, endpoint_id)
  where ended in ('exhausted', 'canceled');
create view deliveries as
  select organization_id, event_id, endpoint_id, 'pending' as state, attempts, failures, last_attempt_at,
    due_at as next_attempt_at, created_at
  from pending_deliveries
  union all
  select organization_id, event_id, endpoint_id, ended, number, 0,
    case when duration_milliseconds is not null then attempted_at end, null, attempted_at
  from attempts where ended is not null;
create table replays (
  organization_id uuid not null,
  id uuid not null,
  endpoint_id uuid not null,
  kind text not null check (kind in ('failed', 'missed')),
  events_from timestamptz not null,
  events_to timestamptz not null,
  after_event_id uuid,
  deliveries integer not null default 0,
  created_at timestamptz not null,
  finished_at timestamptz,
  stopped_at timestamptz,
  due_at timestamptz default now(),
  failures integer not null default 0,
  reason text,
  primary key (organization_id, id),
  foreign key (organization_id, endpoint_id) references endpoints (organization_id, id) on delete cascade,
  check ((finished_at is null) = (due_at is not null))
);
create index replays_due on replays (organization_id, due_at) where due_at is not null;
create table mails (
  organization_id uuid not null references organizations (id),
  id uuid not null default gen_random_uuid(),
  kind text not null check
    (kind in ('affiliate_approved', 'new_paid_referral', 'payout_paid', 'payouts_failed', 'endpoint_disabled',
      'invitation', 'password_reset', 'email_confirmation')),
  about text not null,
  recipient text not null default '',
  affiliate_id uuid,
  payout_count integer,
  payout_ids uuid[],
  state text not null default 'due' check (state in ('due', 'sent', 'dropped', 'given_up')),
  failures integer not null default 0,
  due_at timestamptz default now(),
  reason text,
  created_at timestamptz not null default now(),
  finished_at timestamptz,
  primary key (organization_id, id),
  foreign key (organization_id, affiliate_id) references affiliates (organization_id, id),
  check ((recipient = '') = (affiliate_id is not null)),
  check ((kind in ('affiliate_approved', 'new_paid_referral', 'payout_paid')) = (affiliate_id is not null)),
  check ((kind = 'payouts_failed') = (payout_count is not null)),
  check ((kind = 'payouts_failed') = (payout_ids is not null)),
  check ((state = 'due') = (due_at is not null)),
  check ((state = 'due') = (finished_at is null))
);
create unique index mails_about on mails (organization_id, kind, about, recipient);
create index mails_due on mails (organization_id, due_at) where due_at is not null;
create index mails_given_up on mails (organization_id, id) where state = 'given_up';
create index mails_finished on mails (finished_at) where finished_at is not null;
create table audit_log_entries (
  organization_id uuid not null references organizations (id),
  id uuid not null,
  resource text not null,
  resource_id text not null,
  action text not null,
  actor text not null check (actor <> ''),
  before json,
  after json,
  currency text check (currency ~ '^[A-Z]{3}$'),
  created_at timestamptz not null,
  primary key (organization_id, id),
  check ((action = 'created') = (before is null)),
  check ((action = 'deleted') = (after is null))
);
create index audit_log_entries_resource on audit_log_entries (organization_id, resource, id);
create index audit_log_entries_resource_id on audit_log_entries (organization_id, resource_id, id);
create index audit_log_entries_actor on audit_log_entries (organization_id, actor, id);
create index audit_log_entries_actor_resource on audit_log_entries (organization_id, (actor || ' ' || resource), id);
create function personal_fields(resource text) returns text[]
language sql immutable as $$
  select case resource
    when 'affiliate' then array['email', 'first_name', 'last_name', 'payout_email', 'details', 'custom_fields',
      'ref_codes', 'promo_codes']
    when 'promo_code' then array['code']
    when 'member' then array['email']
    when 'invitation' then array['email']
    else array[]::text[]
  end
$$;
create function erased(fields json, names text[]) returns json
language sql immutable as $$
  select case when fields is not null then coalesce((
    select json_object_agg(key, case when key = any (names) and json_typeof(value) <> 'null'
      then '"[erased]"'::json else value end order by place)
    from json_each(fields) with ordinality as field (key, value, place)), '{}') end
$$;
create function is_erasure(former json, fields json, names text[]) returns boolean
language sql immutable as $$
  select (former is null) = (fields is null) and not exists (
    select from json_each(former) with ordinality as old (key, value, place)
    full join json_each(fields) with ordinality as new (key, value, place) on old.place = new.place
    where old.key is distinct from new.key
      or (new.value::text <> old.value::text
        and not (new.key = any (names) and new.value::text = '"[erased]"' and json_typeof(old.value) <> 'null')))
$$;
create function only_erased() returns trigger language plpgsql as $$
begin
  if to_jsonb(new) - array['before', 'after'] <> to_jsonb(old) - array['before', 'after']
    or not is_erasure(old.before, new.before, personal_fields(old.resource))
    or not is_erasure(old.after, new.after, personal_fields(old.resource))
  then
    raise exception 'audit_log_entries is append-only' using errcode = 'FF001';
  end if;
  return new;
end
$$;
create trigger only_erased before update on audit_log_entries for each row execute function only_erased();
create trigger never_deleted before delete or truncate on audit_log_entries
  for each statement execute function never_changes();
create table workers (
  id uuid primary key,
  queue_worker_ids text[] not null default '{}',
  started_at timestamptz not null,
  renewed_at timestamptz not null default now(),
  alive_until timestamptz not null
);
create table secrets_key_check (
  one boolean primary key default true check (one),
  sealed bytea not null
);
create table shards (
  shard smallint primary key,
  token bigint not null
);
insert into shards (shard, token) select shard, 0 from generate_series(0, 31) as shard;
create function shard_of(organization_id uuid) returns smallint language sql immutable parallel safe
  return (get_byte(uuid_send(organization_id), 15) % 32)::smallint;
create function guard_changed_commissions() returns trigger language plpgsql
set enable_seqscan = off set enable_nestloop = off set plan_cache_mode = force_custom_plan as $$
declare
  organization record;
  unpaid_count bigint;
  other_count bigint;
begin
  for organization in
    select organization_id, array_agg(id) as ids, array_agg(distinct former.affiliate_id) as affiliate_ids, count(*) filter (where not changed.voided) as live_count
    from former join changed using (organization_id, id)
    where (former.commission_minor, former.affiliate_id, former.currency, former.voided, former.payable_at,
        former.created_at)
      <> (changed.commission_minor, changed.affiliate_id, changed.currency, changed.voided, changed.payable_at,
        changed.created_at)
    group by organization_id
  loop
    perform from payout_commissions
    where organization_id = organization.organization_id and affiliate_id = any (organization.affiliate_ids)
      and commission_id = any (organization.ids)
    limit 1;
    if found then
      raise exception 'commissions changed that are in a payout' using errcode = 'FF002';
    end if;
    select count(*) filter (where changed.id is not null), count(*) filter (where changed.id is null)
    into unpaid_count, other_count
    from (
      select * from unpaid_commissions
      where organization_id = organization.organization_id and commission_id = any (organization.ids)
    ) as unpaid
    left join changed
      on changed.organization_id = unpaid.organization_id and changed.id = unpaid.commission_id
        and not changed.voided
        and (changed.affiliate_id, changed.currency, changed.commission_minor)
          = (unpaid.affiliate_id, unpaid.currency, unpaid.commission_minor);
    if unpaid_count <> organization.live_count or other_count > 0 then
      raise exception 'commissions changed without their unpaid_commissions' using errcode = 'FF003';
    end if;
  end loop;
  return null;
end
$$;
create trigger guard_changed after update on commissions
  referencing old table as former new table as changed
  for each statement execute function guard_changed_commissions();
create function guard_unpaid_commissions() returns trigger language plpgsql
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
declare
  is_broken boolean;
begin
  if tg_op = 'DELETE' then
    select exists (
      select from changed
      where not exists (
          select from payout_commissions placed
          where placed.organization_id = changed.organization_id and placed.affiliate_id = changed.affiliate_id
            and placed.commission_id = changed.commission_id)
        and not exists (
          select from commissions commission
          where commission.organization_id = changed.organization_id and commission.id = changed.commission_id
            and commission.voided)
    ) into is_broken;
  else
    select exists (
      select from changed
      where not exists (
        select from commissions commission
        where commission.organization_id = changed.organization_id and commission.id = changed.commission_id
          and not commission.voided and commission.affiliate_id = changed.affiliate_id
          and commission.currency = changed.currency and commission.commission_minor = changed.commission_minor)
    ) into is_broken;
  end if;
  if is_broken then
    raise exception 'unpaid_commissions changed without the commissions' using errcode = 'FF003';
  end if;
  return null;
end
$$;
create trigger guard_updated after update on unpaid_commissions
  referencing new table as changed for each statement execute function guard_unpaid_commissions();
create trigger guard_deleted after delete on unpaid_commissions
  referencing old table as changed for each statement execute function guard_unpaid_commissions();
create function guard_payout_commissions() returns trigger language plpgsql
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
declare
  payout_id uuid;
begin
  select placed.payout_id into payout_id
  from (
    select changed.organization_id, changed.payout_id, count(*) as count
    from changed group by changed.organization_id, changed.payout_id
  ) as placed
  left join payouts payout on payout.organization_id = placed.organization_id and payout.id = placed.payout_id
  where payout.payment_count is distinct from placed.count
    or (payout.status in ('failed', 'canceled')) <> (tg_op = 'DELETE')
  limit 1;
  if found then
    raise exception 'payout % does not match its commissions', payout_id using errcode = 'FF004';
  end if;
  return null;
end
$$;
create trigger guard_added after insert on payout_commissions
  referencing new table as changed for each statement execute function guard_payout_commissions();
create trigger guard_removed after delete on payout_commissions
  referencing old table as changed for each statement execute function guard_payout_commissions();
create function guard_payout() returns trigger language plpgsql set enable_seqscan = off as $$
declare
  posted text := case when new.status = 'paid' then 'paid' when new.status in ('failed', 'canceled') then 'taken_out'
    else 'put_into_payout' end;
begin
  if tg_op = 'UPDATE' then
    if old.status in ('paid', 'failed', 'canceled') then
      raise exception 'payout % is %, which is final', new.id, old.status using errcode = 'FF005';
    end if;
    if new.status = 'processing' then
      return null;
    end if;
  end if;
  if not exists (
    select from ledger_entries entry
    where entry.organization_id = new.organization_id and entry.payout_id = new.id and entry.kind = posted
      and abs(entry.in_payout_minor) = new.amount_minor
  ) then
    raise exception 'payout % is % without its entry', new.id, new.status using errcode = 'FF004';
  end if;
  if posted <> 'paid' and (posted = 'put_into_payout') <> exists (
    select from payout_commissions where organization_id = new.organization_id and payout_id = new.id
  ) then
    raise exception 'payout % does not match its commissions', new.id using errcode = 'FF004';
  end if;
  return null;
end
$$;
create trigger guard_inserted after insert on payouts for each row execute function guard_payout();
create trigger guard_status after update of status on payouts
  for each row when (old.status is distinct from new.status) execute function guard_payout();
create table users (
  id uuid primary key,
  name text not null check (name <> ''),
  email text not null check (email = lower(email)),
  email_verified boolean not null default false,
  two_factor_enabled boolean not null default false,
  disabled_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create unique index users_email on users (email);
create table user_passwords (
  user_id uuid primary key references users (id) on delete cascade,
  password_hash text not null,
  updated_at timestamptz not null
);
create table user_sessions (
  id uuid primary key,
  user_id uuid not null references users (id) on delete cascade,
  token_hash bytea not null check (octet_length(token_hash) = 32),
  ip_address text,
  user_agent text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  expires_at timestamptz not null
);
create unique index user_sessions_token on user_sessions (token_hash);
create index user_sessions_user on user_sessions (user_id);
create index user_sessions_expired on user_sessions (expires_at);
create table user_verifications (
  id uuid primary key,
  kind text not null check (kind in ('password_reset', 'email', 'second_factor')),
  user_id uuid references users (id) on delete cascade,
  token_hash bytea not null check (octet_length(token_hash) = 32),
  failures integer not null default 0,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  check (user_id is not null or kind = 'password_reset')
);
create unique index user_verifications_token on user_verifications (token_hash);
create index user_verifications_user on user_verifications (user_id);
create index user_verifications_expired on user_verifications (expires_at);
create table used_passkey_challenges (
  challenge_hash bytea primary key check (octet_length(challenge_hash) = 32),
  expires_at timestamptz not null
);
create index used_passkey_challenges_expired on used_passkey_challenges (expires_at);
create table user_passkeys (
  id uuid primary key,
  user_id uuid not null references users (id) on delete cascade,
  name text not null,
  credential_id text not null,
  public_key bytea not null,
  counter bigint not null,
  transports text[] not null default '{}',
  is_backed_up boolean not null,
  created_at timestamptz not null,
  last_used_at timestamptz
);
create unique index user_passkeys_credential on user_passkeys (credential_id);
create index user_passkeys_user on user_passkeys (user_id);
create table user_second_factors (
  user_id uuid primary key references users (id) on delete cascade,
  secret_encrypted bytea not null,
  confirmed_at timestamptz,
  last_step bigint not null default 0,
  failures integer not null default 0,
  locked_until timestamptz,
  created_at timestamptz not null
);
create table user_recovery_codes (
  user_id uuid not null references users (id) on delete cascade,
  code_hash bytea not null check (octet_length(code_hash) = 32),
  primary key (user_id, code_hash)
);
create table user_preferences (
  user_id uuid primary key references users (id) on delete cascade,
  theme text not null default 'system' check (theme in ('system', 'light', 'dark')),
  shortcuts boolean not null default true,
  list_columns jsonb not null default '{}' check (jsonb_typeof(list_columns) = 'object')
);
create table members (
  organization_id uuid not null references organizations (id),
  user_id uuid not null references users (id) on delete cascade,
  role text not null check (role in ('owner', 'admin', 'viewer')),
  created_at timestamptz not null,
  primary key (organization_id, user_id)
);
create index members_user on members (user_id);
create table invitations (
  organization_id uuid not null references organizations (id),
  id uuid not null,
  email text not null check (email = lower(email)),
  role text not null check (role in ('owner', 'admin', 'viewer')),
  token_hash bytea not null check (octet_length(token_hash) = 32),
  mailed boolean not null,
  invited_by uuid references users (id) on delete set null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  accepted_at timestamptz,
  revoked_at timestamptz,
  primary key (organization_id, id)
);
create unique index invitations_token on invitations (token_hash);
create unique index invitations_open on invitations (organization_id, email)
  where accepted_at is null and revoked_at is null;
create table setup_tokens (
  id uuid primary key,
  token_hash bytea not null check (octet_length(token_hash) = 32),
  user_id uuid references users (id) on delete cascade,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  used_at timestamptz
);
create unique index setup_tokens_token on setup_tokens (token_hash);
create function first_id_of(at timestamptz) returns uuid language sql immutable parallel safe
return (lpad(to_hex(floor(extract(epoch from at) * 1000)::bigint), 12, '0') || '70008000000000000000')::uuid;
create table total_seals (
  organization_id uuid primary key references organizations (id),
  sealed_until timestamptz not null,
  time_zone text not null,
  is_outdated boolean not null default false,
  due_at timestamptz,
  failures integer not null default 0,
  reason text
);
create index total_seals_due on total_seals (organization_id, due_at) where due_at is not null;
create table hourly_totals (
  organization_id uuid not null,
  currency text not null,
  hour timestamptz not null,
  campaign_id uuid not null,
  clicks bigint not null,
  signups bigint not null,
  conversions bigint not null,
  revenue_minor bigint not null,
  commission_minor bigint not null,
  lost_minor bigint not null,
  primary key (organization_id, currency, hour, campaign_id),
  constraint hourly_totals_currency check (case currency when 'XXX' then revenue_minor = 0 and commission_minor = 0
    and lost_minor = 0 else clicks = 0 and signups = 0 and conversions = 0 end)
);
create table daily_totals (
  organization_id uuid not null,
  currency text not null,
  day date not null,
  affiliate_id uuid not null,
  clicks bigint not null,
  signups bigint not null,
  conversions bigint not null,
  revenue_minor bigint not null,
  commission_minor bigint not null,
  lost_minor bigint not null,
  primary key (organization_id, currency, day, affiliate_id),
  constraint daily_totals_currency check (case currency when 'XXX' then revenue_minor = 0 and commission_minor = 0
    and lost_minor = 0 else clicks = 0 and signups = 0 and conversions = 0 end)
);
create table total_changes (
  organization_id uuid not null,
  number bigint generated always as identity,
  affiliate_id uuid not null,
  recorded_at timestamptz not null,
  counted_at timestamptz not null,
  currency text not null,
  signups bigint not null default 0,
  conversions bigint not null default 0,
  revenue_minor bigint not null default 0,
  commission_minor bigint not null default 0,
  primary key (organization_id, number)
);
create index ledger_entries_lost on ledger_entries (organization_id, created_at)
  where kind in ('reduced', 'restored', 'voided', 'reversed');
create function change_totals_of_commission() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and not old.voided then
    insert into total_changes (organization_id, affiliate_id, recorded_at, counted_at, currency, revenue_minor,
      commission_minor)
    values (old.organization_id, old.affiliate_id, old.created_at, old.referral_date, old.currency, -old.revenue_minor,
      -old.commission_minor);
  end if;
  if not new.voided then
    insert into total_changes (organization_id, affiliate_id, recorded_at, counted_at, currency, revenue_minor,
      commission_minor)
    values (new.organization_id, new.affiliate_id, new.created_at, new.referral_date, new.currency, new.revenue_minor,
      new.commission_minor);
  end if;
  return null;
end
$$;
create trigger total_added after insert on commissions
  for each row when (new.created_at < now() - interval '30 minutes')
  execute function change_totals_of_commission();
create trigger total_changed after update on commissions
  for each row when (old.created_at < now() - interval '30 minutes'
    and (old.affiliate_id, old.revenue_minor, old.commission_minor, old.currency, old.voided, old.referral_date)
      is distinct from
      (new.affiliate_id, new.revenue_minor, new.commission_minor, new.currency, new.voided, new.referral_date))
  execute function change_totals_of_commission();
create function add_referral_to_totals(referral referrals, sign integer) returns void language plpgsql as $$
begin
  if referral.replaced_at is not null then
    return;
  end if;
  insert into total_changes (organization_id, affiliate_id, recorded_at, counted_at, currency, signups)
  values (referral.organization_id, referral.affiliate_id, referral.created_at, referral.signup_date, 'XXX', sign);
  if referral.converted_at is not null then
    insert into total_changes (organization_id, affiliate_id, recorded_at, counted_at, currency, conversions)
    values (referral.organization_id, referral.affiliate_id, referral.converted_at, referral.converted_at, 'XXX', sign);
  end if;
end
$$;
create function change_totals_of_referral() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' then
    perform add_referral_to_totals(old, -1);
  end if;
  perform add_referral_to_totals(new, 1);
  return null;
end
$$;
create trigger total_added after insert on referrals
  for each row when (least(new.created_at, new.converted_at) < now() - interval '30 minutes')
  execute function change_totals_of_referral();
create trigger total_changed after update on referrals
  for each row when (
    (old.created_at < now() - interval '30 minutes' and (old.affiliate_id, old.signup_date, old.replaced_at is null)
      is distinct from (new.affiliate_id, new.signup_date, new.replaced_at is null))
    or (least(old.converted_at, new.converted_at) < now() - interval '30 minutes'
      and (old.affiliate_id, old.converted_at, old.replaced_at is null)
        is distinct from (new.affiliate_id, new.converted_at, new.replaced_at is null)))
  execute function change_totals_of_referral();
create function outdate_totals() returns trigger language plpgsql as $$
begin
  update total_seals set is_outdated = true, due_at = now()
  where organization_id = case tg_table_name when 'organizations' then to_jsonb(new) ->> 'id'
    else to_jsonb(new) ->> 'organization_id' end::uuid;
  return null;
end
$$;
create trigger totals_outdated after update of time_zone on organizations
  for each row when (old.time_zone <> new.time_zone) execute function outdate_totals();
create trigger totals_outdated after update of campaign_id on affiliates
  for each row when (old.campaign_id <> new.campaign_id) execute function outdate_totals();
create function begin_totals() returns trigger language plpgsql as $$
begin
  insert into total_seals (organization_id, sealed_until, time_zone, due_at)
  values (new.id, date_trunc('hour', now(), 'UTC'), new.time_zone, date_trunc('hour', now(), 'UTC') + interval '2 hours');
  return null;
end
$$;
create trigger totals_begun after insert on organizations for each row execute function begin_totals();
insert into total_seals (organization_id, sealed_until, time_zone, due_at)
select id, '2000-01-01 00:00:00+00', time_zone, now() from organizations;
alter table processors
  add column reconcile_requested_at timestamptz(3),
  add column reconciled_events integer,
  add column reconcile_error text,
  add column refused_at timestamptz,
  add column refused_reason text,
  add constraint processors_refused check ((refused_at is null) = (refused_reason is null));
drop index processor_messages_received;
create index processor_messages_received on processor_messages (organization_id, processor, received_at, id);
drop index processor_messages_parked;
create index processor_messages_parked on processor_messages (organization_id, processor, received_at, id)
  where state = 'parked';
create index processor_messages_skipped on processor_messages (organization_id, processor, received_at, id)
  where state = 'skipped';
create table jobs (
  organization_id uuid not null references organizations (id),
  id uuid not null,
  kind text not null check (kind ~ '^[a-z_]{1,40}$'),
  state text not null check (state in ('running', 'finished', 'failed', 'canceled')),
  input json not null,
  position json,
  done integer not null default 0,
  total integer,
  result json,
  file_name text check (file_name ~ '^[A-Za-z0-9.-]{1,100}$'),
  file_bytes bigint not null default 0,
  files_deleted_at timestamptz,
  started_by text not null,
  created_at timestamptz not null,
  finished_at timestamptz,
  due_at timestamptz default now(),
  failures integer not null default 0,
  reason text,
  primary key (organization_id, id),
  check ((state = 'running') = (due_at is not null)),
  check ((state = 'running') = (finished_at is null))
);
create index jobs_due on jobs (organization_id, due_at) where due_at is not null;
create index jobs_finished on jobs (finished_at) where finished_at is not null;
create index jobs_old_files on jobs (finished_at) where files_deleted_at is null;
create index jobs_with_files on jobs (organization_id, finished_at) where files_deleted_at is null;
create table job_files (
  organization_id uuid not null,
  job_id uuid not null,
  file text not null check (file in ('input', 'result')),
  part integer not null,
  content text not null,
  primary key (organization_id, job_id, file, part),
  foreign key (organization_id, job_id) references jobs (organization_id, id) on delete cascade
);
create table payout_run_totals (
  organization_id uuid not null,
  number bigint generated always as identity,
  run_id uuid not null,
  currency text not null,
  status text not null,
  payouts integer not null,
  amount_minor bigint not null,
  primary key (organization_id, run_id, number)
);
create function add_run_totals() returns trigger language plpgsql as $$
begin
  insert into payout_run_totals (organization_id, run_id, currency, status, payouts, amount_minor)
  select organization_id, run_id, currency, status, count(*), sum(amount_minor)
  from added where run_id is not null group by organization_id, run_id, currency, status;
  return null;
end
$$;
create function change_run_totals() returns trigger language plpgsql as $$
begin
  insert into payout_run_totals (organization_id, run_id, currency, status, payouts, amount_minor)
  select organization_id, run_id, currency, status, sum(sign), sum(sign * amount_minor)
  from (
    select organization_id, run_id, currency, status, amount_minor, -1 as sign from former
    union all
    select organization_id, run_id, currency, status, amount_minor, 1 from changed
  ) as difference
  where run_id is not null group by organization_id, run_id, currency, status having sum(sign) <> 0;
  return null;
end
$$;
create trigger run_totals_added after insert on payouts
  referencing new table as added for each statement execute function add_run_totals();
create trigger run_totals_changed after update on payouts
  referencing old table as former new table as changed for each statement execute function change_run_totals();
insert into payout_run_totals (organization_id, run_id, currency, status, payouts, amount_minor)
select organization_id, run_id, currency, status, count(*), sum(amount_minor)
from payouts where run_id is not null group by organization_id, run_id, currency, status;
create index payouts_run_status on payouts (organization_id, run_id, status, id) where run_id is not null;
create unlogged table payout_previews (
  organization_id uuid primary key references organizations (id),
  captured_at timestamptz not null,
  milliseconds integer not null,
  payees integer not null,
  totals jsonb not null
);
create unlogged table payout_preview_rows (
  organization_id uuid not null,
  affiliate_id uuid not null,
  currency text not null,
  outcome text not null,
  due_minor bigint not null,
  payment_count integer not null,
  held_minor bigint not null,
  held_until timestamptz,
  primary key (organization_id, affiliate_id, currency)
);
create index invitations_email on invitations (organization_id, email, id);
alter table organizations
  add column test_of uuid references organizations (id),
  add column removed_at timestamptz,
  add column onboarding_dismissed_at timestamptz,
  add constraint organizations_removed check (removed_at is null or test_of is not null),
  add constraint organizations_test check (test_of is null or (test_of <> id and payout_day is null));
create unique index organizations_test_of on organizations (test_of) where removed_at is null;
create index organizations_tests on organizations (test_of, created_at) where test_of is not null;
create function refuse_in_test_data() returns trigger language plpgsql as $$
begin
  if exists (
    select from organizations
    where id in (select organization_id from added) and test_of is not null
  ) then
    raise exception '% of test data', tg_table_name using errcode = 'FF006';
  end if;
  return null;
end
$$;
create trigger not_in_test_data after insert on payout_runs
  referencing new table as added for each statement execute function refuse_in_test_data();
create trigger not_in_test_data after insert on payouts
  referencing new table as added for each statement execute function refuse_in_test_data();
create trigger not_in_test_data after insert on members
  referencing new table as added for each statement execute function refuse_in_test_data();
create trigger not_in_test_data after insert on invitations
  referencing new table as added for each statement execute function refuse_in_test_data();
alter table affiliates
  add column declined_at timestamptz,
  add column decline_reason text,
  add column email_confirmed_at timestamptz,
  add constraint affiliates_declined check (
    case when declined_at is null then decline_reason is null else not approved and not banned end);
create function end_declined() returns trigger language plpgsql as $$
begin
  new.declined_at := null;
  new.decline_reason := null;
  return new;
end
$$;
create trigger declined_ended before update on affiliates
  for each row when (new.declined_at is not null and (new.approved or new.banned))
  execute function end_declined();
create index affiliates_waiting on affiliates (organization_id, id)
  where not approved and not banned and declined_at is null;
create index affiliates_declined on affiliates (organization_id, id) where declined_at is not null;
drop index affiliates_email;
drop index affiliates_name;
drop index affiliates_last_name;
create index affiliates_email on affiliates (organization_id, lower(email), id) include (email);
create index affiliates_name on affiliates (organization_id, lower(first_name || ' ' || last_name), id)
  include (first_name, last_name);
create index affiliates_last_name on affiliates (organization_id, lower(last_name), id) include (last_name);
drop index affiliate_codes_code;
create unique index affiliate_codes_code on affiliate_codes (organization_id, kind, lower(code))
  include (code, affiliate_id);
create index balances_earned on balances (organization_id, currency, earned_minor, affiliate_id)
  where earned_minor > 0;
create index balances_unpaid on balances (organization_id, currency, unpaid_minor, affiliate_id)
  where unpaid_minor <> 0;
create table affiliate_clicks (
  organization_id uuid not null,
  affiliate_id uuid not null,
  clicks bigint not null,
  primary key (organization_id, affiliate_id)
);
create index affiliate_clicks_order on affiliate_clicks (organization_id, clicks, affiliate_id) where clicks > 0;
create function count_affiliate_clicks() returns trigger language plpgsql as $$
declare
  of_row daily_totals := case when tg_op = 'DELETE' then old else new end;
  difference bigint := case when tg_op = 'DELETE' then 0 else new.clicks end
    - case when tg_op = 'INSERT' then 0 else old.clicks end;
begin
  insert into affiliate_clicks as known (organization_id, affiliate_id, clicks)
  values (of_row.organization_id, of_row.affiliate_id, difference)
  on conflict (organization_id, affiliate_id) do update set clicks = known.clicks + difference;
  return null;
end
$$;
create trigger clicks_added after insert on daily_totals
  for each row when (new.clicks > 0) execute function count_affiliate_clicks();
create trigger clicks_changed after update on daily_totals
  for each row when (old.clicks <> new.clicks) execute function count_affiliate_clicks();
create trigger clicks_deleted after delete on daily_totals
  for each row when (old.clicks > 0) execute function count_affiliate_clicks();
insert into affiliate_clicks (organization_id, affiliate_id, clicks)
select organization_id, affiliate_id, sum(clicks)::bigint from daily_totals
where clicks > 0 group by 1, 2;
alter table user_sessions add column confirmed_at timestamptz;
alter table mails
  drop constraint mails_kind_check,
  drop constraint mails_check1,
  add constraint mails_kind_check check
    (kind in ('affiliate_approved', 'affiliate_declined', 'new_paid_referral', 'payout_paid', 'payouts_failed',
      'endpoint_disabled', 'invitation', 'password_reset', 'email_confirmation')),
  add constraint mails_of_affiliates check
    ((kind in ('affiliate_approved', 'affiliate_declined', 'new_paid_referral', 'payout_paid')) = (affiliate_id is not null));
drop index referrals_email;
create unique index referrals_email on referrals (organization_id, lower(email)) include (email, id)
  where replaced_at is null;
drop index referrals_processor_customer_id;
create unique index referrals_processor_customer_id on referrals (organization_id, processor_customer_id) include (id)
  where replaced_at is null;
alter table organizations add column support_email text check (support_email = lower(support_email));
create table ledger_findings (
  organization_id uuid not null,
  job_id uuid not null,
  number integer not null,
  rule text not null,
  level text not null check (level in ('damage', 'warning')),
  subject text not null,
  finding text not null,
  primary key (organization_id, job_id, number),
  foreign key (organization_id, job_id) references jobs (organization_id, id) on delete cascade
);
create index jobs_kind on jobs (organization_id, kind, id);
alter table total_seals add column generation integer not null default 1;
alter table hourly_totals
  add column generation integer not null default 1,
  drop constraint hourly_totals_pkey,
  add primary key (organization_id, generation, currency, hour, campaign_id);
alter table hourly_totals alter column generation drop default;
alter table daily_totals
  add column generation integer not null default 1,
  drop constraint daily_totals_pkey,
  add primary key (organization_id, generation, currency, day, affiliate_id);
alter table daily_totals alter column generation drop default;
create table total_rebuilds (
  organization_id uuid primary key references organizations (id),
  generation integer not null,
  time_zone text not null,
  summed_until timestamptz not null,
  until timestamptz not null,
  first_click timestamptz not null
);
alter table total_changes add column created_at timestamptz;
update total_changes set created_at = recorded_at;
alter table total_changes alter column created_at set not null;
create or replace function change_totals_of_commission() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and not old.voided then
    insert into total_changes (organization_id, affiliate_id, recorded_at, created_at, counted_at, currency,
      revenue_minor, commission_minor)
    values (old.organization_id, old.affiliate_id, old.created_at, old.created_at, old.referral_date, old.currency,
      -old.revenue_minor, -old.commission_minor);
  end if;
  if not new.voided then
    insert into total_changes (organization_id, affiliate_id, recorded_at, created_at, counted_at, currency,
      revenue_minor, commission_minor)
    values (new.organization_id, new.affiliate_id, new.created_at, new.created_at, new.referral_date, new.currency,
      new.revenue_minor, new.commission_minor);
  end if;
  return null;
end
$$;
create or replace function add_referral_to_totals(referral referrals, sign integer) returns void language plpgsql as $$
begin
  if referral.replaced_at is not null then
    return;
  end if;
  insert into total_changes (organization_id, affiliate_id, recorded_at, created_at, counted_at, currency, signups)
  values (referral.organization_id, referral.affiliate_id, referral.created_at, referral.created_at,
    referral.signup_date, 'XXX', sign);
  if referral.converted_at is not null then
    insert into total_changes (organization_id, affiliate_id, recorded_at, created_at, counted_at, currency,
      conversions)
    values (referral.organization_id, referral.affiliate_id, referral.converted_at, referral.created_at,
      referral.converted_at, 'XXX', sign);
  end if;
end
$$;
drop trigger clicks_added on daily_totals;
drop trigger clicks_changed on daily_totals;
drop trigger clicks_deleted on daily_totals;
drop function count_affiliate_clicks();
alter table affiliate_clicks
  add column generation integer not null default 1,
  drop constraint affiliate_clicks_pkey,
  add primary key (organization_id, generation, affiliate_id);
alter table affiliate_clicks alter column generation drop default;
drop index affiliate_clicks_order;
create index affiliate_clicks_order on affiliate_clicks (organization_id, generation, clicks, affiliate_id)
  where clicks > 0;
create function add_affiliate_clicks() returns trigger language plpgsql as $$
begin
  insert into affiliate_clicks as known (organization_id, generation, affiliate_id, clicks)
  select organization_id, generation, affiliate_id, sum(clicks)::bigint from added
  where clicks <> 0 group by organization_id, generation, affiliate_id
  on conflict (organization_id, generation, affiliate_id) do update set clicks = known.clicks + excluded.clicks;
  return null;
end
$$;
create function change_affiliate_clicks() returns trigger language plpgsql as $$
begin
  insert into affiliate_clicks as known (organization_id, generation, affiliate_id, clicks)
  select organization_id, generation, affiliate_id, sum(clicks)::bigint
  from (
    select organization_id, generation, affiliate_id, -clicks as clicks from former
    union all
    select organization_id, generation, affiliate_id, clicks from changed
  ) as difference
  group by organization_id, generation, affiliate_id having sum(clicks) <> 0
  on conflict (organization_id, generation, affiliate_id) do update set clicks = known.clicks + excluded.clicks;
  return null;
end
$$;
create trigger clicks_added after insert on daily_totals
  referencing new table as added for each statement execute function add_affiliate_clicks();
create trigger clicks_changed after update on daily_totals
  referencing old table as former new table as changed for each statement execute function change_affiliate_clicks();
alter table total_seals
  add column deliveries_until timestamptz not null default date_trunc('hour', now(), 'UTC') - interval '7 days';
alter table total_seals alter column deliveries_until set default date_trunc('hour', now(), 'UTC');
create table delivery_hours (
  organization_id uuid not null,
  hour timestamptz not null,
  endpoint_id uuid not null,
  delivered bigint not null,
  failed bigint not null,
  primary key (organization_id, hour, endpoint_id)
);
create table delivery_changes (
  organization_id uuid not null,
  hour timestamptz not null,
  endpoint_id uuid not null,
  number bigint generated always as identity,
  delivered bigint not null,
  failed bigint not null,
  primary key (organization_id, hour, endpoint_id, number)
);
create function time_of_id(id uuid) returns timestamptz language sql immutable parallel safe
return to_timestamp(('x' || translate(left(id::text, 13), '-', ''))::bit(48)::bigint / 1000.0);
create function change_delivery_hours() returns trigger language plpgsql as $$
begin
  insert into delivery_changes (organization_id, hour, endpoint_id, delivered, failed)
  select organization_id, hour, endpoint_id, sum(delivered), sum(failed)
  from (
    select organization_id, date_trunc('hour', time_of_id(event_id), 'UTC') as hour, endpoint_id,
      -(ended = 'delivered')::int as delivered, -(ended <> 'delivered')::int as failed
    from former where ended is not null
    union all
    select organization_id, date_trunc('hour', time_of_id(event_id), 'UTC'), endpoint_id,
      (ended = 'delivered')::int, (ended <> 'delivered')::int
    from changed where ended is not null
  ) as difference
  where hour < now() - interval '90 minutes'
  group by organization_id, hour, endpoint_id having sum(delivered) <> 0 or sum(failed) <> 0;
  return null;
end
$$;
create trigger hours_changed after update on attempts
  referencing old table as former new table as changed for each statement execute function change_delivery_hours();
create index payouts_currency on payouts (organization_id, currency, status, id);
create table passed_affiliates (
  organization_id uuid not null,
  affiliate_id uuid not null,
  paid_at timestamptz not null,
  decision_id uuid not null,
  primary key (organization_id, affiliate_id, paid_at, decision_id)
);
insert into passed_affiliates (organization_id, affiliate_id, paid_at, decision_id)
select distinct decision.organization_id, (candidate ->> 'affiliate_id')::uuid, decision.paid_at, decision.id
from payment_decisions decision cross join json_array_elements(decision.explanation -> 'candidates') as candidate
where decision.replaced_at is null and (candidate ->> 'affiliate_id')::uuid is distinct from decision.affiliate_id
  and candidate ->> 'affiliate_id' is not null;
drop index payment_decisions_affiliate;
create index payment_decisions_affiliate on payment_decisions (organization_id, affiliate_id, paid_at, id)
  where affiliate_id is not null and replaced_at is null;
create table portal_codes (
  id uuid primary key,
  email text not null check (email = lower(email)),
  browser_hash bytea not null check (octet_length(browser_hash) = 32),
  link_hash bytea not null check (octet_length(link_hash) = 32),
  mailed boolean not null,
  failures integer not null default 0,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  used_at timestamptz
);
create unique index portal_codes_browser on portal_codes (browser_hash);
create unique index portal_codes_link on portal_codes (link_hash);
create index portal_codes_email on portal_codes (email, created_at);
create index portal_codes_expired on portal_codes (expires_at);
create table portal_sessions (
  id uuid primary key,
  email text not null check (email = lower(email)),
  token_hash bytea not null check (octet_length(token_hash) = 32),
  ip_address text,
  user_agent text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  expires_at timestamptz not null
);
create unique index portal_sessions_token on portal_sessions (token_hash);
create index portal_sessions_email on portal_sessions (email);
create index portal_sessions_expired on portal_sessions (expires_at);
create index affiliates_address on affiliates (lower(email));
alter table mails
  drop constraint mails_kind_check,
  add constraint mails_kind_check check
    (kind in ('affiliate_approved', 'affiliate_declined', 'new_paid_referral', 'payout_paid', 'payouts_failed',
      'endpoint_disabled', 'invitation', 'password_reset', 'email_confirmation', 'portal_code'));
alter table affiliate_clicks add column last_day date;
update affiliate_clicks set last_day = last.day
from (
  select organization_id, generation, affiliate_id, max(day) as day from daily_totals where clicks > 0 group by 1, 2, 3
) as last
where affiliate_clicks.organization_id = last.organization_id and affiliate_clicks.generation = last.generation
  and affiliate_clicks.affiliate_id = last.affiliate_id;
create or replace function add_affiliate_clicks() returns trigger language plpgsql as $$
begin
  insert into affiliate_clicks as known (organization_id, generation, affiliate_id, clicks, last_day)
  select organization_id, generation, affiliate_id, sum(clicks)::bigint, max(day) from added
  where clicks <> 0 group by organization_id, generation, affiliate_id
  on conflict (organization_id, generation, affiliate_id) do update
    set clicks = known.clicks + excluded.clicks, last_day = greatest(known.last_day, excluded.last_day);
  return null;
end
$$;
create or replace function change_affiliate_clicks() returns trigger language plpgsql as $$
begin
  insert into affiliate_clicks as known (organization_id, generation, affiliate_id, clicks, last_day)
  select organization_id, generation, affiliate_id, sum(clicks)::bigint, max(day) filter (where clicks > 0)
  from (
    select organization_id, generation, affiliate_id, day, -clicks as clicks from former
    union all
    select organization_id, generation, affiliate_id, day, clicks from changed
  ) as difference
  group by organization_id, generation, affiliate_id having sum(clicks) <> 0
  on conflict (organization_id, generation, affiliate_id) do update
    set clicks = known.clicks + excluded.clicks, last_day = greatest(known.last_day, excluded.last_day);
  return null;
end
$$;
create index commissions_affiliate_voided on commissions (organization_id, affiliate_id, id) where voided;
create table claims (
  organization_id uuid not null,
  id uuid not null,
  affiliate_id uuid not null,
  email text not null check (email = lower(email)),
  paid_on date not null,
  note text not null,
  payment_known boolean not null,
  state text not null default 'open' check (state in ('open', 'accepted', 'declined')),
  answer text,
  decided_by text,
  decided_at timestamptz,
  payment_decision_id uuid,
  commission_id uuid,
  created_at timestamptz not null,
  primary key (organization_id, id),
  foreign key (organization_id, affiliate_id) references affiliates (organization_id, id),
  check ((state = 'open') = (decided_at is null) and (state = 'open') = (decided_by is null)),
  check ((state = 'accepted') = (payment_decision_id is not null)),
  check ((state = 'accepted') = (commission_id is not null))
);
create unique index claims_once on claims (organization_id, affiliate_id, email, paid_on) where email <> '';
create index claims_affiliate on claims (organization_id, affiliate_id, id);
create index claims_state on claims (organization_id, state, id);
create index claims_email on claims (organization_id, email, id);
create index claims_created on claims (created_at);
alter table mails
  drop constraint mails_kind_check,
  drop constraint mails_of_affiliates,
  add constraint mails_kind_check check
    (kind in ('affiliate_approved', 'affiliate_declined', 'new_paid_referral', 'payout_paid', 'payouts_failed',
      'endpoint_disabled', 'invitation', 'password_reset', 'email_confirmation', 'portal_code', 'claim_decided')),
  add constraint mails_of_affiliates check
    ((kind in ('affiliate_approved', 'affiliate_declined', 'new_paid_referral', 'payout_paid', 'claim_decided'))
      = (affiliate_id is not null));
alter table campaigns add column joining text not null default 'by_link' check (joining in ('listed', 'by_link', 'closed'));
create index campaigns_listed on campaigns (organization_id, id) where joining = 'listed';
alter table organizations
  add column terms_url text,
  add column languages text[] not null default '{en}'
    check (cardinality(languages) between 1 and 2 and languages <@ array['en', 'de']);
alter table affiliates add column terms_accepted_at timestamptz;
create table portal_accounts (
  email text primary key check (email = lower(email)),
  language text not null check (language in ('en', 'de'))
);
alter table portal_codes
  add column organization_id uuid,
  add column campaign_id uuid,
  add column application jsonb,
  add foreign key (organization_id, campaign_id) references campaigns (organization_id, id),
  add constraint portal_codes_joins check (
    (organization_id is null) = (campaign_id is null) and (application is null or campaign_id is not null and used_at is null));
create index portal_codes_joins on portal_codes (organization_id, created_at) where organization_id is not null;
alter table organizations
  add column brand_color text check (brand_color ~ '^#[0-9a-f]{6}$'),
  add constraint organizations_terms_url_check check (terms_url like 'https://%'),
  add column portal_host text check (portal_host = lower(portal_host)),
  add column frame_origins text[] not null default '{}' check (cardinality(frame_origins) <= 10);
create unique index organizations_portal_host on organizations (portal_host) where portal_host is not null;
create table portal_logos (
  organization_id uuid primary key references organizations (id),
  hash text not null check (hash ~ '^[0-9a-f]{64}$'),
  type text not null check (type in ('image/png', 'image/jpeg', 'image/webp')),
  width integer not null check (width between 1 and 1024),
  height integer not null check (height between 1 and 1024),
  content bytea not null check (octet_length(content) between 1 and 131072)
);
alter table organizations
  add column portal_host_seen_at timestamptz;
alter table portal_sessions
  add column limited_to uuid references organizations (id);
alter table portal_codes
  add column limited_to uuid references organizations (id);
alter table affiliates
  add column left_at timestamptz,
  add constraint affiliates_left check (left_at is null or banned);
create function end_left() returns trigger language plpgsql as $$
begin
  new.left_at := null;
  return new;
end
$$;
create trigger left_ended before update on affiliates
  for each row when (new.left_at is not null and not new.banned)
  execute function end_left();
create index affiliates_left on affiliates (organization_id, id) where left_at is not null;
create table payout_email_changes (
  organization_id uuid not null,
  id uuid not null,
  affiliate_id uuid not null,
  session_id uuid not null,
  email text not null,
  former_email text,
  failures integer not null default 0,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  used_at timestamptz,
  primary key (organization_id, id),
  foreign key (organization_id, affiliate_id) references affiliates (organization_id, id)
);
create index payout_email_changes_affiliate on payout_email_changes (organization_id, affiliate_id, id);
create index payout_email_changes_email on payout_email_changes (lower(email), created_at);
create index payout_email_changes_expired on payout_email_changes (expires_at);
alter table mails
  drop constraint mails_kind_check,
  add constraint mails_kind_check check
    (kind in ('affiliate_approved', 'affiliate_declined', 'new_paid_referral', 'payout_paid', 'payouts_failed',
      'endpoint_disabled', 'invitation', 'password_reset', 'email_confirmation', 'portal_code', 'claim_decided',
      'payout_email_code', 'payout_email_changed'));
create table portal_tokens (
  organization_id uuid not null references organizations (id),
  id uuid not null,
  affiliate_id uuid not null,
  token_hash bytea not null check (octet_length(token_hash) = 32),
  created_at timestamptz not null,
  expires_at timestamptz not null,
  used_at timestamptz,
  primary key (organization_id, id),
  foreign key (organization_id, affiliate_id) references affiliates (organization_id, id)
);
create unique index portal_tokens_token on portal_tokens (token_hash);
create index portal_tokens_open on portal_tokens (organization_id, expires_at);
create index portal_tokens_affiliate on portal_tokens (organization_id, affiliate_id, expires_at);
create index portal_tokens_expired on portal_tokens (expires_at);
alter table portal_sessions
  add column affiliate_id uuid,
  add constraint portal_sessions_affiliate check (affiliate_id is null or limited_to is not null),
  add foreign key (limited_to, affiliate_id) references affiliates (organization_id, id);
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
alter table clicks add column sub_id text;
alter table referrals add column sub_id text;
create index referrals_sub_id on referrals (organization_id, affiliate_id, id)
  include (sub_id, signup_date, converted_at) where sub_id is not null and replaced_at is null;
create table sub_id_clicks (
  day date not null,
  organization_id uuid not null,
  affiliate_id uuid not null,
  sub_id text not null,
  clicks bigint not null,
  primary key (day, organization_id, affiliate_id, sub_id)
);
alter table portal_tokens
  add column user_session_id uuid references user_sessions (id) on delete cascade;
create index portal_tokens_view on portal_tokens (user_session_id) where user_session_id is not null;
alter table portal_sessions
  add column user_session_id uuid references user_sessions (id) on delete cascade,
  add constraint portal_sessions_view check (user_session_id is null or affiliate_id is not null);
create index portal_sessions_view on portal_sessions (user_session_id) where user_session_id is not null;
do $$
declare
  reserved record;
  number integer;
begin
  for reserved in
    select id, slug from organizations
    where slug in ('assets', 'auth', 'closed', 'earnings', 'embed', 'files', 'logo', 'look', 'missing-sale', 'payouts',
      'referrals', 'settings', 'sign-in', 'trpc', 'view', 'waiting')
    order by id
  loop
    number := 1;
    while exists (select from organizations where slug = format('%s-%s', reserved.slug, number)) loop
      number := number + 1;
    end loop;
    update organizations set slug = format('%s-%s', reserved.slug, number) where id = reserved.id;
  end loop;
end
$$;
drop index commissions_processor_payment_id;
create unique index commissions_processor_payment_id on commissions (organization_id, processor_payment_id) include (id)
  where processor_payment_id is not null and reversal_of is null;
drop index payment_decisions_payment;
create unique index payment_decisions_payment on payment_decisions (organization_id, processor, payment_id)
  include (paid_at, id);
alter table mails
  drop constraint mails_kind_check,
  drop constraint mails_of_affiliates,
  add constraint mails_kind_check check
    (kind in ('affiliate_approved', 'affiliate_declined', 'affiliate_left', 'new_paid_referral', 'payout_paid', 'payouts_failed',
      'endpoint_disabled', 'invitation', 'password_reset', 'email_confirmation', 'portal_code', 'claim_decided',
      'payout_email_code', 'payout_email_changed')),
  add constraint mails_of_affiliates check
    ((kind in ('affiliate_approved', 'affiliate_declined', 'affiliate_left', 'new_paid_referral', 'payout_paid', 'claim_decided'))
      = (affiliate_id is not null));
alter table affiliates
  add column ban_reason text,
  add constraint affiliates_ban_reason check (ban_reason is null or banned);
create function end_ban_reason() returns trigger language plpgsql as $$
begin
  new.ban_reason := null;
  return new;
end
$$;
create trigger ban_reason_ended before update on affiliates
  for each row when (new.ban_reason is not null and not new.banned)
  execute function end_ban_reason();
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
alter table organizations alter column languages set default '{en,de}';
update organizations set languages = '{en,de}' where languages = '{en}';
create table schema_migrations (
  number integer primary key,
  name text not null,
  checksum text not null,
  applied_at timestamptz not null default now()
);
insert into schema_migrations (number, name, checksum) values
  (1, '0001_tenancy', 'c5305ec8b9e4cb5d368cc2faf997457621b97d16c2916868a7eed68413f380e1'),
  (2, '0002_program', '94c268b4aaaf94a9226b2be8046a1d393d8b5c519940fbbdf86209b2d064fce1'),
  (3, '0003_tracking', '9ff0092f3253239c68070b8a38f8a739c60d4c4f91cad562f89805d7f57f9df4'),
  (4, '0004_commissions', '1164872bc15954323939f1394a148550242ed3631f21044faeb1a64337e37e9f'),
  (5, '0005_payouts', 'b620f68c7f648ede166db53c5ac9d8e048505d5b634dfed7a1d5c4cd265eedfd'),
  (6, '0006_ledger', 'a7d9188c2a9ae500febc2f00ccf1b296f136001ec66d40d6a193a275be203900'),
  (7, '0007_processors', 'f8a91c00294b35bca6d68643f583fa58f2cc01dcc8285c86bd6102d4d5f02993'),
  (8, '0008_attribution', '9aa80b4d0c2c89e69fb8819e68af5ad3970536061a74b1c04352ed925cee857e'),
  (9, '0009_events', 'fe380e2b2bd446cf745290e82c3af00c192807504f3029b3736eedffd564b61b'),
  (10, '0010_webhooks', '874936cdcdb7b7c252917ecdf12d6c73f1c80d3b8b930f165237f010b3ea2472'),
  (11, '0011_mails', '632a1dce10dea29220b7aaa4762f99ce07879e952a85a4eab96f9e897197aedd'),
  (12, '0012_audit_log', 'b6be3372843b74678e9fd32cd82f58575a8a01d4e4f4cccc3b3ce42fbe8b319f'),
  (13, '0013_service', '99134964243ee984c088d8dc0271124abeed71cd619c6cecb8b8cd87775290d8'),
  (14, '0014_ledger_guards', 'eea231081682c0037b35fe617435fb252311b4610cf295edc350e252b6128df6'),
  (15, '0015_accounts', '770022d02d119d66d6022c99117f967c1feff13d7a9a0f108bc03924b9cc3a95'),
  (16, '0016_totals', 'fac52fa8f3d980c01e1e55fd6fdcf6c1cb11baf290866467655ec1a19c85b9cd'),
  (17, '0017_connections', '1892d0d61a585b272d2d793b2004f006b3f334adf72badc8e0412560a1cb4130'),
  (18, '0018_jobs', '252c1a4c61a7f3c3bf928c9926af7167d22571eb90e1bb5235e707c60860feee'),
  (19, '0019_payout_figures', '1c590b8a8b4a213dd70b0c751e78abe6af776b26445cadeed7bad56ec5f6085c'),
  (20, '0020_invitation_mails', 'fe9097ccf15f9ce8ec144182fdef734dbaad84b23ed6a97145a68551bb1b13ca'),
  (21, '0021_onboarding', '18257ca96f8069101bea14d44e91a8e9914389e0c195983f50a28ec679b56f46'),
  (22, '0022_affiliate_review', '03c55c0a4fba5add93fd43f9a81bfdca0c3451bded7723f05a838b0196e116fa'),
  (23, '0023_session_confirmations', '8dceb6b19df3ad3c992698c28e30fd09768a6e7cb10e749e385140da5f14fd14'),
  (24, '0024_declined_mails', '25b0930583a362a5cfc38bb082b3d222ac80079a74db631b8bf3c5e476788395'),
  (25, '0025_referral_search', 'c8a9e803e7a94895fbe63041b16c8f2f7e41d90ccff4d617d5d9f54a40a83f89'),
  (26, '0026_support_email', 'bab69ba2a5e221344dd018b7d54c1c7eb2385b25b39ba07a69cf8cac7cbac121'),
  (27, '0027_ledger_findings', 'b5dfd6f56f4cdcd59a89906dba42b4e8febd54ab37b253d6a200f81b9f6b68ef'),
  (28, '0028_total_generations', '5a1e2752fbff192f19e706e76a0f20cdeab713f8f24191c5b4a9f8c7cc63afee'),
  (29, '0029_delivery_hours', 'c4c9e37bff10facb712f8d5d2ca90f186b90f8161af6187abde75ba8a023e90b'),
  (30, '0030_payout_currency', '2162d532ecc7319c34720c3a143656858ffd3edc7acbc3bf56fe2aa5334d80e9'),
  (31, '0031_passed_affiliates', '743a9e0b6540e0f3168f3eb8e30fbb0dd7ad4cd75e913a70fe8ce958863167b7'),
  (32, '0032_portal', 'ddde29fff568d9b24d2247eec41e7d8c9371be2d8af75592a6e79ca29e2833e4'),
  (33, '0033_last_clicks', 'ff8213dbf29f29a225c2fbf6a1f79169ef04e8ffdca8376b8416460a243f3be9'),
  (34, '0034_void_of_affiliate', '7e023796b4196b6ee5e4b948fc716717062c64de2409e5a35faa139d71669029'),
  (35, '0035_claims', '991ab25379ad997f36dbefc6f4926a2c71d5dc11e0400e6966dc3c13b240de43'),
  (36, '0036_joining', '2dad04ad9182ffbbaceee83b0afb90844278c7a2c74a373aebfbaa77bafe6183'),
  (37, '0037_portal_look', 'aa4bc18ac5b2e28c3387b79e4e196f3d79597228ffb762388f7e1a7bd84d0463'),
  (38, '0038_portal_hosts', '1ed2b820c9f1f8f8e45028b04950c12101a2af1f63fbe50a4a36b0f357e75fff'),
  (39, '0039_own_settings', '852fd03ca870a3538f2bea8ca6d83d673ce947ebb5a30d45ca5cf69d96e329ab'),
  (40, '0040_portal_tokens', '00ebf1fdc67b48df99d0d254491b45a2c640805649a0f2968a200e71facc9929'),
  (41, '0041_audited_referrals', '8077c99d34b11f10d8a3d890da4451b9d615654b1f9d0285a202390ea6af2f4b'),
  (42, '0042_sub_ids', 'f1779ddd668ed5b472eaee4ae4732f678feba68b56cc50cebaaa55bf883fed84'),
  (43, '0043_portal_views', 'e49ee71c7ce94f2c451988f6aa91393917b129c2231b7fe7be6f87a89dbc66ee'),
  (44, '0044_reserved_slugs', 'f0b126a566f82f42dcf14ab74b30a9620ebcd588d622181557eb608352bdf8a8'),
  (45, '0045_payment_search', '5cf012604537339882f0de013c2c8882f40db3dfd22519bf885d2ccdca891f19'),
  (46, '0046_left_mails', '0f1fb6b7145a99d64a5ddacb750c430a14f77271059b09eff1b9741ed530e54a'),
  (47, '0047_ban_reasons', '85e3179da031100d2b534f816276d917b934c453aab677ef12665be23898d84d'),
  (48, '0048_both_languages', '4878833c5341325a364f0aba042c45b1cfb4401d9ff56dca14cbd2ed81ad765c');
