-- Reports of processors about payments, customers, the decision about each payment, and lookups.

-- The latest state of each object that a processor reported: a checkout, a payment, a refund. Referrals, commissions and
-- decisions of a customer follow from these rows alone, so the order and the number of messages do not matter. No foreign
-- key: organizations are never deleted, and the check would lock the organization's one row in every batch.
create table payment_facts (
  organization_id uuid not null,
  processor text not null,
  -- `signup`: reported by a page with the publishable key. `amounts`, `products`: answers of lookups.
  kind text not null check (kind in ('checkout', 'customer', 'signup', 'subscription', 'payment', 'charge', 'refund',
    'dispute', 'refunded_total', 'link', 'amounts', 'products')),
  subject text not null,
  -- Our id of the customer; changes when two customers turn out to be the same. Customers have no table:
  -- this id connects these rows with customer_keys.
  customer_id uuid not null,
  -- These three, in this order, tell the later of two states.
  state_at timestamptz not null,
  rank integer not null,
  -- No foreign key: messages are deleted when they are old.
  message_id text not null,
  -- The domain's type of the kind; amounts are text, since many readers parse JSON's numbers as floats.
  data jsonb not null,
  -- Settings when it was first seen, such as the code's affiliate and the rates, so that later changes of settings do
  -- not change decisions.
  snapshot jsonb,
  -- The purpose and the object of the lookup that it waits for, as in `products in_123`; null: none. Stored here so
  -- that attribution compares it without another query.
  lookup text,
  primary key (organization_id, processor, kind, subject)
);

create index payment_facts_customer on payment_facts (organization_id, customer_id);
-- Customers who used a promotion code before it was linked to an affiliate.
create index payment_facts_promotion_codes on payment_facts
  using gin ((jsonb_path_query_array(data, '$.*[*].external_id')))
  where data @? '$.*[*].external_id ? (@ != null)';

-- Identifiers of customers: ids at the processor and emails. Objects that share one belong to the same customer. No
-- foreign key, as in payment_facts.
create table customer_keys (
  organization_id uuid not null,
  key text not null,
  customer_id uuid not null,
  primary key (organization_id, key)
);

create index customer_keys_customer on customer_keys (organization_id, customer_id);

-- The earnings of each payment and the reason for them, or the reason why it earned nothing. No foreign keys: referrals,
-- affiliates and commissions are never deleted, a decision is written from their rows or with them, and the checks took
-- four fifths of an insert's time.
create table payment_decisions (
  organization_id uuid not null,
  id uuid not null,
  processor text not null,
  payment_id text not null,
  customer_id uuid not null,
  -- `commission`, or the reason why there is none.
  outcome text not null,
  referral_id uuid,
  affiliate_id uuid,
  -- The payment's commission, also if the outcome is another one by now.
  commission_id uuid,
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  revenue_minor bigint not null,
  -- What the payment earned before any refund.
  commission_minor bigint not null,
  -- The amount paid, and the part of it that was refunded, tax included.
  paid_minor bigint not null,
  reversed_minor bigint not null,
  paid_at timestamptz not null,
  -- The rule, its inputs and its rounding, and the other candidates. json, not jsonb: a new explanation is compared with
  -- it byte by byte.
  explanation json not null,
  created_at timestamptz not null,
  decided_at timestamptz not null,
  -- When the payment turned out to be part of another one, as a charge of an invoice. Such a decision is kept for its
  -- commission, which is void, and is not shown. Null: the decision counts.
  replaced_at timestamptz,
  -- The payment that it was made for before another payment took it over, as an invoice from its charge. The decision
  -- returns there if the two turn out to be separate and its commission still names that payment. Null: not taken over.
  taken_over_from text,
  primary key (organization_id, id)
);

create index payment_decisions_customer on payment_decisions (organization_id, customer_id);
-- The dashboard's list, by the time of payment, of all outcomes or of some.
create index payment_decisions_paid on payment_decisions (organization_id, paid_at, id) where replaced_at is null;
create index payment_decisions_outcome on payment_decisions (organization_id, outcome, paid_at, id)
  where replaced_at is null;
create index payment_decisions_referral on payment_decisions (organization_id, referral_id, id);
create index payment_decisions_commission on payment_decisions (organization_id, commission_id)
  where commission_id is not null;
-- An affiliate's payments, in the order of the list, and without payments that nobody has.
create index payment_decisions_affiliate on payment_decisions (organization_id, affiliate_id, paid_at, id)
  where affiliate_id is not null and replaced_at is null;
-- The dashboard's list finds a payment by the beginning of its id, and the list's order, in the index alone.
create unique index payment_decisions_payment on payment_decisions (organization_id, processor, payment_id)
  include (paid_at, id);

-- The affiliates that a decision looked at and passed over: candidates of its explanation that do not have the payment. Most
-- payments have none, so most writes of decisions write nothing here. No foreign key: rows are only written with decisions,
-- which are never deleted.
create table passed_affiliates (
  organization_id uuid not null,
  affiliate_id uuid not null,
  -- Of the decision, so that a list is one range of the key.
  paid_at timestamptz not null,
  decision_id uuid not null,
  primary key (organization_id, affiliate_id, paid_at, decision_id)
);

-- Lookups fetch data from the processor's API that its messages leave out: the products of a payment, discounts that a message
-- names by id only, the payment of a refund, the amounts of a payment in other currencies.
create table processor_lookups (
  organization_id uuid not null,
  processor text not null check (processor = 'stripe'),
  -- The row of payment_facts that waits for it.
  kind text not null,
  subject text not null,
  purpose text not null check (purpose in ('products', 'payment', 'amounts', 'promo_codes')),
  -- The processor's id of the object: in_…, cs_…, pi_…, ch_…, promo_….
  object_id text not null,
  -- The connected account that has the object; null: the organization's own.
  account text,
  -- A page of the list of lookups ends at a time in milliseconds: with microseconds, the next page would repeat the last
  -- row.
  wanted_at timestamptz(3) not null,
  -- The next attempt; null: answered, or failed for good.
  due_at timestamptz,
  failures integer not null default 0,
  -- Why the last attempt failed.
  reason text,
  -- When the answer was stored as a message. Processing that message deletes the row, unless something is still missing.
  answered_at timestamptz,
  primary key (organization_id, processor, kind, subject),
  foreign key (organization_id, processor, kind, subject)
    references payment_facts (organization_id, processor, kind, subject)
);

-- Lookups of promotion codes are due only where affiliates have some, so each purpose has its own earliest row.
create index processor_lookups_due on processor_lookups (organization_id, purpose, due_at) where due_at is not null;
-- The list of waiting lookups, and its metrics.
create index processor_lookups_waiting on processor_lookups (organization_id, wanted_at, kind, subject)
  where answered_at is null;
create index processor_lookups_wanted on processor_lookups (wanted_at);
-- The last answer about an object, without reading every lookup of it: a promotion code may have many users.
create index processor_lookups_object on processor_lookups (organization_id, object_id, answered_at);
