-- One payment, one commission: the ids of a payment (an invoice, its payment intents, charges and checkout, the references
-- of a generic message), each with the commission that has the payment. A second commission for any of them fails by the
-- primary key. A name is never freed: a commission keeps the names that it had, also while it is void. No foreign key, as
-- in `commissions`: commissions are never deleted, and `verify ledger` checks it.
create table payment_names (
  organization_id uuid not null,
  name text not null,
  commission_id uuid not null,
  primary key (organization_id, name) include (commission_id)
);

create trigger never_deleted before delete or truncate on payment_names
  for each statement execute function never_changes();

-- From now on a column to search by; the names hold the rule.
drop index commissions_processor_payment_id;
create index commissions_processor_payment_id on commissions (organization_id, processor_payment_id) include (id)
  where processor_payment_id is not null and reversal_of is null;

-- A commission by hand that has the payment's place; null: none.
alter table payment_decisions add column manual_commission_id uuid;
create index payment_decisions_manual_commission on payment_decisions (organization_id, manual_commission_id)
  where manual_commission_id is not null;

insert into payment_names (organization_id, name, commission_id)
select organization_id, processor_payment_id, id from commissions
where processor_payment_id is not null and reversal_of is null;

-- The other names of payments that earned a commission. A payment that earned twice, under two of its names, keeps both
-- commissions: `verify ledger` lists them, and people decide.
with recursive named as (
  select organization_id, processor, kind, subject, data,
    case when kind in ('payment', 'link', 'charge', 'refunded_total', 'amounts') then 'payment' else kind end
      || ':' || subject as own
  from payment_facts
),
pair as (
  select organization_id, processor, own as one, 'payment:' || reference as other
  from named cross join lateral jsonb_array_elements_text(data -> 'references') as reference
),
edge as (
  select organization_id, processor, one, other from pair
  union
  select organization_id, processor, other, one from pair
),
reached as (
  select organization_id, processor, 'payment:' || payment_id as name, commission_id
  from payment_decisions where commission_id is not null and replaced_at is null
  union
  select reached.organization_id, reached.processor, edge.other, reached.commission_id
  from reached join edge using (organization_id, processor)
  where edge.one = reached.name
)
insert into payment_names (organization_id, name, commission_id)
select organization_id, substring(name from position(':' in name) + 1), commission_id
from reached
where name like 'payment:%' or name like 'checkout:%'
order by commission_id
on conflict (organization_id, name) do nothing;

-- Amounts and voids of a correction have times of their own, so that taking back a void leaves the amounts as they were.
alter table commission_corrections
  add column amounts_at timestamptz,
  add column voided_at timestamptz;

update commission_corrections set
  amounts_at = case when revenue_minor is not null or commission_minor is not null then corrected_at end,
  voided_at = case when voided is not null then corrected_at end;

alter table commission_corrections
  drop column corrected_at,
  add check ((amounts_at is null) = (revenue_minor is null and commission_minor is null)),
  add check ((voided_at is null) = (voided is null));
