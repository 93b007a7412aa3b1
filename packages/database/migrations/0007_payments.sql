-- What processors told of payments, whose customers they are of, and what was decided about each payment.

-- The latest state of each thing that a processor told of: a checkout, a payment, a refund. Its customer's
-- referrals, commissions and decisions are worked out of these rows alone, so that neither the order in which
-- messages came nor their number matters.
create table payment_events (
  organization_id uuid not null references organizations (id),
  processor text not null,
  kind text not null check (kind in
    ('checkout', 'customer', 'subscription', 'payment', 'refund', 'dispute', 'refunded_total', 'link')),
  subject text not null,
  -- The customer of ours that it is of; moves when two turn out to be one.
  customer_id uuid not null,
  -- Which of two states is the later one: by these, in this order.
  state_at timestamptz not null,
  rank integer not null,
  message_id text not null,
  -- As the domain's type of its kind has it; amounts are text, since JSON's numbers are floats to many readers.
  data jsonb not null,
  -- Settings as they were when it was first looked at: whose code it was, which rates applied. What was
  -- decided stays decided when they change.
  judged jsonb,
  primary key (organization_id, processor, kind, subject)
);

create index payment_events_customer on payment_events (organization_id, customer_id);

-- By what a customer is known: ids at the processor and emails. What shares one is of the same customer.
create table customer_keys (
  organization_id uuid not null references organizations (id),
  key text not null,
  customer_id uuid not null,
  primary key (organization_id, key)
);

create index customer_keys_customer on customer_keys (organization_id, customer_id);

alter table referrals
  -- The checkout or payment that it was made from, and its time. Null: made by hand or by a sign-up.
  add column bound_by text,
  add column bound_at timestamptz,
  -- Whether these were set by hand. What was not is worked out anew whenever the customer is settled.
  add column email_by_hand boolean not null default true,
  add column customer_id_by_hand boolean not null default true,
  -- Where its subscriptions at the processor stood when last looked at; a change made by hand stays until
  -- this changes.
  add column processor_status text
    check (processor_status in ('active', 'trialing', 'past_due', 'canceled')),
  add constraint referrals_bound check ((bound_by is null) = (bound_at is null));

create index referrals_bound_by on referrals (organization_id, bound_by) where bound_by is not null;

create index commissions_reversal_of on commissions (organization_id, reversal_of) where reversal_of is not null;

-- What a payment earned and why, or why nothing. One for each payment, whatever comes of it. No foreign keys:
-- it is written with its commission, whose own keys were checked.
create table payment_decisions (
  organization_id uuid not null references organizations (id),
  id uuid not null,
  processor text not null,
  payment_id text not null,
  customer_id uuid not null,
  -- `commission`, or the reason why there is none.
  outcome text not null,
  referral_id uuid,
  affiliate_id uuid,
  -- Of the payment, also where the outcome is another one by now.
  commission_id uuid,
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  revenue_minor bigint not null,
  -- What the payment earned before anything was taken back.
  commission_minor bigint not null,
  -- Of what was paid, what has been taken back, in parts of it (minor units, tax too).
  paid_minor bigint not null,
  taken_back_minor bigint not null,
  paid_at timestamptz not null,
  -- The rule, its inputs and its rounding, and who else was a candidate.
  -- json, not jsonb: what is worked out again is compared with it, byte by byte.
  explanation json not null,
  created_at timestamptz not null,
  decided_at timestamptz not null,
  primary key (organization_id, id)
);

create unique index payment_decisions_payment on payment_decisions (organization_id, processor, payment_id);
create index payment_decisions_customer on payment_decisions (organization_id, customer_id);
create index payment_decisions_outcome on payment_decisions (organization_id, outcome, id);
create index payment_decisions_affiliate on payment_decisions (organization_id, affiliate_id, id);
create index payment_decisions_referral on payment_decisions (organization_id, referral_id, id);
create index payment_decisions_commission on payment_decisions (organization_id, commission_id)
  where commission_id is not null;

-- What somebody changed by hand in a commission; null: not that. The amounts are as they were when so much of
-- its payment had been taken back.
create table commission_corrections (
  organization_id uuid not null,
  commission_id uuid not null,
  revenue_minor bigint,
  commission_minor bigint,
  taken_back_minor bigint not null,
  -- True: void, false: restored, whatever made it void.
  voided boolean,
  referral_date timestamptz,
  corrected_at timestamptz not null,
  primary key (organization_id, commission_id),
  foreign key (organization_id, commission_id) references commissions (organization_id, id)
);
