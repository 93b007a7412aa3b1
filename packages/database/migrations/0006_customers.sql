-- Customers: referrals, and missing sales that affiliates report.

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

  -- Of the click that the referral is attributed to.
  sub_id text,

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
-- The dashboard's list finds an email or customer id that begins with a text in the index alone.
create unique index referrals_email on referrals (organization_id, lower(email)) include (email, id)
  where replaced_at is null;
create unique index referrals_processor_customer_id on referrals (organization_id, processor_customer_id) include (id)
  where replaced_at is null;
-- An affiliate's referrals with a sub-id, of which there are few.
create index referrals_sub_id on referrals (organization_id, affiliate_id, id)
  include (sub_id, signup_date, converted_at) where sub_id is not null and replaced_at is null;

-- Postgres keeps no statistics of an expression that only a partial index has, and would scan all referrals.
create statistics referrals_lower_email on lower(email) from referrals;

-- Missing sales that affiliates report in the portal, and the organization's decision on each.
create table claims (
  organization_id uuid not null,
  id uuid not null,
  affiliate_id uuid not null,
  -- The customer's address, in lower case, the day of the payment by the affiliate, and the evidence. An erased affiliate's
  -- claims have none of them.
  email text not null check (email = lower(email)),
  paid_on date not null,
  note text not null,
  -- Whether a payment of that address around that day was known when the claim was made. It is not computed again, so
  -- that the list of claims tells nobody when an address starts to pay.
  payment_known boolean not null,
  state text not null default 'open' check (state in ('open', 'accepted', 'declined')),
  -- The words to the affiliate.
  answer text,
  -- As in the audit log.
  decided_by text,
  decided_at timestamptz,
  -- Of an accepted claim. No foreign keys, as in commissions.
  payment_decision_id uuid,
  commission_id uuid,
  created_at timestamptz not null,
  primary key (organization_id, id),
  foreign key (organization_id, affiliate_id) references affiliates (organization_id, id),
  check ((state = 'open') = (decided_at is null) and (state = 'open') = (decided_by is null)),
  check ((state = 'accepted') = (payment_decision_id is not null)),
  check ((state = 'accepted') = (commission_id is not null))
);

-- The same address and day is one claim. An erased claim has no address.
create unique index claims_once on claims (organization_id, affiliate_id, email, paid_on) where email <> '';
create index claims_affiliate on claims (organization_id, affiliate_id, id);
create index claims_state on claims (organization_id, state, id);
create index claims_email on claims (organization_id, email, id);
create index claims_created on claims (created_at);
