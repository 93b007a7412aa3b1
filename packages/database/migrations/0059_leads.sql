-- Commissions for leads: sign-ups, trials, and conversions that a backend reports, at most one of each kind for a referral.

-- Fixed amounts in minor units of the organization's currency: [{"kind", "value", "daily_limit"}]
alter table campaigns
  add column lead_commissions jsonb not null default '[]',
  add constraint campaigns_lead_commissions check (jsonb_typeof(lead_commissions) = 'array');

create table leads (
  organization_id uuid not null references organizations (id),
  id uuid not null,
  -- No foreign key, as in commissions: referrals are never deleted.
  referral_id uuid not null,
  -- `signup`, `trial`, or the name of a conversion.
  kind text not null check (kind ~ '^[a-z][a-z0-9_]{0,49}$'),
  -- The backend's own name of the conversion.
  reference text,
  occurred_at timestamptz not null,
  created_at timestamptz not null,
  -- For each affiliate who ever had the lead, what counted then: [{"affiliate_id", "campaign_id", "amount_minor", "refusal"}]
  terms jsonb not null check (jsonb_typeof(terms) = 'array'),
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  -- `commission`, or why it earns nothing.
  outcome text not null,
  affiliate_id uuid not null,
  -- Stays with a lead that no longer earns: the commission is void then, or reversed.
  commission_id uuid,
  primary key (organization_id, id),
  check (outcome <> 'commission' or commission_id is not null)
);

create unique index leads_referral_kind on leads (organization_id, referral_id, kind);
create unique index leads_commission on leads (organization_id, commission_id) where commission_id is not null;
-- The daily limit counts an affiliate's leads that earn.
create index leads_earned on leads (organization_id, affiliate_id, kind, occurred_at) where outcome = 'commission';

-- The kind of the lead that a commission is for, of `leads` with its referral; null: it is for a payment.
alter table commissions
  add column lead text,
  drop constraint commissions_check,
  add constraint commissions_amounts check (reversal_of is not null
    or (commission_minor > 0 and case when lead is null then revenue_minor > 0 else revenue_minor = 0 end)),
  add constraint commissions_lead check (lead is null or processor_payment_id is null);

-- A lead earns once.
create unique index commissions_lead on commissions (organization_id, referral_id, lead)
  where lead is not null and reversal_of is null;

drop view commission_states;
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
