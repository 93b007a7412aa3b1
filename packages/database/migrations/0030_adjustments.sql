-- Adjustments: amounts that a person adds to an affiliate's balance or takes from it, without a customer and a payment. A bonus,
-- a correction, or a clawback of a paid commission.
--
-- An adjustment is a line of payouts like a commission: `unpaid_commissions` and `payout_commissions` have its id in
-- `commission_id`, and so have ledger entries of the kinds `adjusted` and `withdrawn`, and the `commission_ids` of new payouts.
-- It is not in `commissions`, so that nothing that lists, counts or sums commissions has to leave it out, and their
-- inserts cost the same.
create table adjustments (
  organization_id uuid not null,
  id uuid not null,
  affiliate_id uuid not null,
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  -- Negative: taken from the affiliate.
  amount_minor bigint not null check (amount_minor <> 0),
  -- The affiliate reads it. Replaced by the erasure of the affiliate.
  reason text not null check (reason <> ''),
  voided boolean not null default false,
  -- The commission that it corrects; null: none. No foreign key, as in `commissions`: its checks would be triggers of
  -- commissions, which are never deleted. `verify ledger` checks it.
  commission_id uuid,
  created_at timestamptz not null,
  primary key (organization_id, id),
  foreign key (organization_id, affiliate_id) references affiliates (organization_id, id)
);

create index adjustments_affiliate on adjustments (organization_id, affiliate_id, id);
create index adjustments_commission on adjustments (organization_id, commission_id) where commission_id is not null;

create trigger never_deleted before delete or truncate on adjustments
  for each statement execute function never_changes();
create trigger never_changes
  before update of affiliate_id, currency, amount_minor, commission_id, created_at on adjustments
  for each statement execute function never_changes();

-- Everything that payouts pay or deduct, with the columns of `commissions`.
create view payable_lines as
select 'commission' as noun, organization_id, id, affiliate_id, currency, commission_minor, voided, payable_at, created_at
from commissions
union all
select 'adjustment', organization_id, id, affiliate_id, currency, amount_minor, voided, created_at, created_at
from adjustments;

-- Adjustments with their payout status, as `commission_states`.
create view adjustment_states as
select adjustment.*, placed.payout_id, payout_status(adjustment.voided, placed.payout_id, payout.status) as payout_status
from adjustments adjustment
left join lateral (
  select payout_id from payout_commissions
  where organization_id = adjustment.organization_id and affiliate_id = adjustment.affiliate_id
    and commission_id = adjustment.id
  offset 0
) as placed on true
left join lateral (
  select status from payouts where organization_id = adjustment.organization_id and id = placed.payout_id offset 0
) as payout on true;

-- earned - lost + adjusted = unpaid + in_payout + paid.
alter table balances
  -- Adjustments, less those withdrawn.
  add column adjusted_minor bigint not null default 0,
  drop constraint balances_check,
  add constraint balances_check check (
    earned_minor - lost_minor + adjusted_minor = unpaid_minor + in_payout_minor + paid_minor and earned_minor >= 0);

-- FF003: an adjustment is unpaid, in a payout, or withdrawn while it was unpaid.
create function guard_adjustment() returns trigger language plpgsql as $$
declare
  is_unpaid boolean := exists (
    select from unpaid_commissions
    where organization_id = new.organization_id and commission_id = new.id and affiliate_id = new.affiliate_id
      and currency = new.currency and commission_minor = new.amount_minor);
begin
  if is_unpaid = new.voided or exists (
    select from payout_commissions
    where organization_id = new.organization_id and affiliate_id = new.affiliate_id and commission_id = new.id
  ) then
    raise exception 'adjustment % changed without its unpaid_commissions', new.id using errcode = 'FF003';
  end if;
  return null;
end
$$;

create trigger guard_inserted after insert on adjustments for each row execute function guard_adjustment();
create trigger guard_voided after update of voided on adjustments for each row execute function guard_adjustment();

-- FF003: a commission or an adjustment stops being unpaid only in a payout or when it is voided, and is unpaid as it is.
create or replace function guard_unpaid_commissions() returns trigger language plpgsql
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
        and not exists (
          select from adjustments adjustment
          where adjustment.organization_id = changed.organization_id and adjustment.id = changed.commission_id
            and adjustment.voided)
    ) into is_broken;
  else
    -- Adjustments keep their amounts.
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
