-- The payments of an affiliate, including those that others won.

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

insert into passed_affiliates (organization_id, affiliate_id, paid_at, decision_id)
select distinct decision.organization_id, (candidate ->> 'affiliate_id')::uuid, decision.paid_at, decision.id
from payment_decisions decision cross join json_array_elements(decision.explanation -> 'candidates') as candidate
where decision.replaced_at is null and (candidate ->> 'affiliate_id')::uuid is distinct from decision.affiliate_id
  and candidate ->> 'affiliate_id' is not null;

-- In the order of the list, and without payments that nobody has.
drop index payment_decisions_affiliate;
create index payment_decisions_affiliate on payment_decisions (organization_id, affiliate_id, paid_at, id)
  where affiliate_id is not null and replaced_at is null;
