-- Recruits: affiliates whom an affiliate brought, who gets a percentage of their commissions for some months.

alter table campaigns
  -- In ten-thousandths of a percent, as other rates. Null: the campaign pays nothing for recruits.
  add column recruiting_rate bigint check (recruiting_rate between 1 and 1000000),
  add column recruiting_months smallint check (recruiting_months between 1 and 120),
  add constraint campaigns_recruiting check ((recruiting_rate is null) = (recruiting_months is null));

-- Set when the affiliate is created, from the terms of its campaign, and never changed.
alter table affiliates
  add column recruited_by uuid,
  add column recruiting_rate bigint check (recruiting_rate between 1 and 1000000),
  -- Commissions for payments before it count.
  add column recruited_until timestamptz,
  add constraint affiliates_recruited_by foreign key (organization_id, recruited_by)
    references affiliates (organization_id, id),
  add constraint affiliates_recruited_by_other check (recruited_by <> id),
  add constraint affiliates_recruited check (
    (recruited_by is null) = (recruiting_rate is null) and (recruited_by is null) = (recruited_until is null));

create index affiliates_recruits on affiliates (organization_id, recruited_by, id) where recruited_by is not null;

create trigger recruiter_never_changes before update of recruited_by, recruiting_rate, recruited_until on affiliates
  for each statement execute function never_changes();

-- The commission of a recruit that this one is a percentage of; null: it is for a payment or a lead. It has the recruit's
-- referral, and no revenue.
alter table commissions
  add column recruit_commission_id uuid,
  drop constraint commissions_amounts,
  add constraint commissions_amounts check (reversal_of is not null
    or (commission_minor > 0 and case when lead is null and recruit_commission_id is null then revenue_minor > 0
      else revenue_minor = 0 end)),
  add constraint commissions_recruit check (recruit_commission_id is null
    or (lead is null and processor_payment_id is null and revenue_minor = 0 and recruit_commission_id <> id));

-- A recruit's commission gives one.
create unique index commissions_of_recruit on commissions (organization_id, recruit_commission_id)
  where recruit_commission_id is not null and reversal_of is null;
-- A recruiter's list of them.
create index commissions_of_recruiter on commissions (organization_id, affiliate_id, id)
  where recruit_commission_id is not null;
-- With the corrections of each.
create index commissions_recruit on commissions (organization_id, recruit_commission_id)
  where recruit_commission_id is not null;

-- One level: a commission for a recruit gives no further one. FF009.
create function guard_recruit_commission() returns trigger language plpgsql as $$
begin
  if not exists (
    select from commissions
    where organization_id = new.organization_id and id = new.recruit_commission_id
      and recruit_commission_id is null and reversal_of is null
  ) then
    raise exception 'commission % is for no commission of a recruit', new.id using errcode = 'FF009';
  end if;
  return null;
end
$$;

create constraint trigger guard_recruit_commission after insert or update of recruit_commission_id on commissions
  for each row when (new.recruit_commission_id is not null) execute function guard_recruit_commission();

-- For each commission of a recruit: whether its recruiter gets a percentage of it, decided when the recruit first had it.
create table recruit_terms (
  organization_id uuid not null,
  commission_id uuid not null,
  recruit_id uuid not null,
  -- `recruiter_banned`, `recruiter_not_approved`, or `voided` by a person. Null: none.
  refusal text check (refusal in ('recruiter_banned', 'recruiter_not_approved', 'voided')),
  created_at timestamptz not null,
  primary key (organization_id, commission_id, recruit_id),
  foreign key (organization_id, recruit_id) references affiliates (organization_id, id)
);

create index recruit_terms_recruit on recruit_terms (organization_id, recruit_id);

-- The same view with the new column.
drop view commission_states;
create view commission_states as
select commission.*, placed.payout_id,
  payout_status(commission.voided, placed.payout_id, payout.status) as payout_status
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
