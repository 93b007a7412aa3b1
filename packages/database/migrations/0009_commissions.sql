-- Commissions and their manual corrections.

-- A commission is never deleted: it is voided, or reversed after its payout. Its payout status follows from other tables
-- (`commission_states` in 0011_ledger.sql), so that paying it does not write to this row and its many indexes.
-- No foreign keys: their checks would be a sixth of the cost of an insert. Affiliates, referrals and commissions are never
-- deleted, the balance that a commission is added to references its affiliate, and `verify ledger` checks all three.
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
  -- The end of the holding period: referral_date and the organization's hold_days when it was created.
  payable_at timestamptz not null,
  processor_payment_id text,
  -- The commission that this one reverses, which was already in a payout.
  reversal_of uuid,
  -- The payment, refund or request that wrote the latest change; copied into its ledger entries.
  cause text not null,
  created_at timestamptz not null,
  primary key (organization_id, id),
  check (reversal_of is not null or (revenue_minor > 0 and commission_minor > 0))
);

create index commissions_affiliate on commissions (organization_id, affiliate_id, id);
create index commissions_referral on commissions (organization_id, referral_id, id);
create index commissions_reversal_of on commissions (organization_id, reversal_of) where reversal_of is not null;
create index commissions_voided on commissions (organization_id, id) where voided;
-- The portal's list of an affiliate's void commissions.
create index commissions_affiliate_voided on commissions (organization_id, affiliate_id, id) where voided;
-- The dashboard's list finds a commission by the beginning of the payment's id, and the list's order, in the index alone.
create unique index commissions_processor_payment_id on commissions (organization_id, processor_payment_id) include (id)
  where processor_payment_id is not null and reversal_of is null;

create trigger never_deleted before delete or truncate on commissions
  for each statement execute function never_changes();

-- Manual changes of a commission that attribution keeps; null: not changed. The amounts apply to `reversed_minor`:
-- the payment's refunds when they were set.
create table commission_corrections (
  organization_id uuid not null,
  commission_id uuid not null,
  revenue_minor bigint,
  commission_minor bigint,
  reversed_minor bigint not null,
  -- True: voided; false: restored, even if a refund voided it.
  voided boolean,
  referral_date timestamptz,
  corrected_at timestamptz not null,
  primary key (organization_id, commission_id),
  foreign key (organization_id, commission_id) references commissions (organization_id, id)
);
