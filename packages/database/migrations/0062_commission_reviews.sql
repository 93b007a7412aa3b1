-- Review of commissions: those that a person approves before a payout run pays them.

-- Which new commissions of the campaign's affiliates wait for a review. The amount is in the organization's currency.
alter table campaigns
  add column review text not null default 'none' check (review in ('none', 'all', 'first')),
  add column review_above_minor bigint check (review_above_minor > 0),
  add column review_approve_after_days smallint check (review_approve_after_days between 1 and 365);

-- Decided when the commission is created; a person or a worker decides about a pending one. A rejected one is void, and
-- `commission_corrections` keeps it so.
alter table commissions
  add column review_state text not null default 'none',
  add constraint commissions_review_check check
    (review_state in ('none', 'pending', 'approved') or (review_state = 'rejected' and voided));

-- The queue, in the order of the dashboard's list. Few commissions are in it.
create index commissions_in_review on commissions (organization_id, referral_date, id)
  where review_state = 'pending' and not voided;
-- The list of the API by state, without the commissions of campaigns without reviews, which are most.
create index commissions_reviewed on commissions (organization_id, review_state, id) where review_state <> 'none';

-- The reviews of commissions that needed one; `commissions.review_state` has their states.
create table commission_reviews (
  organization_id uuid not null,
  commission_id uuid not null,
  -- Why it waits, or waited: `campaign_reviews_all`, `first_of_affiliate`, `above_amount`, `other_currency`.
  reasons text[] not null check (cardinality(reasons) between 1 and 20),
  created_at timestamptz not null,
  -- When a worker approves it; null: never, or it was decided.
  due_at timestamptz,
  failures integer not null default 0,
  -- Why the worker's last attempt failed.
  reason text,
  decided_by text,
  decided_at timestamptz,
  -- The reason that a person gave.
  decision_reason text check (char_length(decision_reason) between 1 and 500),
  primary key (organization_id, commission_id),
  foreign key (organization_id, commission_id) references commissions (organization_id, id),
  check ((decided_by is null) = (decided_at is null)),
  check (due_at is null or decided_at is null)
);

create index commission_reviews_due on commission_reviews (organization_id, due_at) where due_at is not null;

-- The same views with the state of the review.
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

create or replace view payable_lines as
select 'commission' as noun, organization_id, id, affiliate_id, currency, commission_minor, voided, payable_at, created_at,
  review_state
from commissions
union all
select 'adjustment', organization_id, id, affiliate_id, currency, amount_minor, voided, created_at, created_at, 'none'
from adjustments;
