-- Where a commission stands is written beside it: what is owed of it in one table, which payout it is in in another. A
-- commission's own row, which has many indexes, stays as it is when it is paid.

-- Of each commission that is in no payout and not voided, how much may be paid when.
create table unpaid_commissions (
  organization_id uuid not null,
  commission_id uuid not null,
  affiliate_id uuid not null,
  currency text not null,
  commission_minor bigint not null,
  payable_at timestamptz not null,
  created_at timestamptz not null,
  -- No foreign keys: the triggers below keep it, of rows that are there.
  primary key (organization_id, commission_id)
);

-- Which payout a commission is in, while that is pending, processing or paid. What is paid at once is kept together: by
-- the commissions' ids alone, which are of all times, each row of a payout would be written in another place.
create table payout_commissions (
  organization_id uuid not null,
  affiliate_id uuid not null,
  commission_id uuid not null,
  payout_id uuid not null,
  primary key (organization_id, affiliate_id, commission_id)
);

drop trigger ledger_of_new on commissions;
drop trigger ledger_of_changed on commissions;
drop function ledger_of_new_commissions, ledger_of_changed_commissions;

insert into unpaid_commissions (organization_id, commission_id, affiliate_id, currency, commission_minor, payable_at,
  created_at)
select organization_id, id, affiliate_id, currency, commission_minor, payable_at, created_at
from commissions where payout_status = 'not_paid';

insert into payout_commissions (organization_id, affiliate_id, commission_id, payout_id)
select organization_id, affiliate_id, id, payout_id from commissions where payout_id is not null
order by organization_id, affiliate_id, id;

create index unpaid_commissions_affiliate on unpaid_commissions (organization_id, affiliate_id, currency, payable_at)
  include (commission_minor, created_at);
create index payout_commissions_payout on payout_commissions (organization_id, payout_id);

alter table commissions add column voided boolean not null default false;
update commissions set voided = true where payout_status = 'voided';
drop index commissions_unpaid, commissions_payout_status, commissions_payout;
alter table commissions drop column payout_status, drop column payout_id;
create index commissions_voided on commissions (organization_id, id) where voided;

-- Of indexes that cost the same while a table is small, Postgres takes the newest, and keeps to it: this one, then.
alter table payouts drop constraint payouts_pkey, add primary key (organization_id, id);

-- Commissions with what follows from where they stand.
create view commission_states as
select commission.*, placed.payout_id,
  case when commission.voided then 'voided' when placed.payout_id is null then 'not_paid'
    when payout.status = 'paid' then 'paid' else 'pending' end as payout_status
from commissions commission
left join payout_commissions placed
  on placed.organization_id = commission.organization_id and placed.affiliate_id = commission.affiliate_id
    and placed.commission_id = commission.id
left join payouts payout
  on payout.organization_id = placed.organization_id and payout.id = placed.payout_id;

-- A connection plans a function's statements once, maybe for one row and while tables are empty. So those below are
-- planned anew where they are seldom run, and never compare each row with each: what was is hashed to be joined with
-- what is. What may not be is written as a line that `ledger_entries_kind` refuses, and says why.

-- Lines of commissions that were made, and what is owed of them.
create function ledger_of_new_commissions() returns trigger language plpgsql as $$
begin
  with unpaid as (
    insert into unpaid_commissions (organization_id, commission_id, affiliate_id, currency, commission_minor,
      payable_at, created_at)
    select organization_id, id, affiliate_id, currency, commission_minor, payable_at, created_at
    from made where not voided
  )
  insert into ledger_entries (organization_id, affiliate_id, currency, commission_id, kind, unpaid_minor, cause)
  select made.organization_id, made.affiliate_id, made.currency, made.id, step.kind, step.unpaid_minor, made.cause
  from made
  cross join lateral (values
    (1, case when made.reversal_of is null then 'earned' when made.commission_minor < 0 then 'reversed'
        else 'restored' end, made.commission_minor, true),
    (2, 'voided', -made.commission_minor, made.voided)
  ) as step (place, kind, unpaid_minor, is_so)
  where step.is_so
  order by made.organization_id, made.affiliate_id, made.currency, made.id, step.place;
  return null;
end
$$;

-- Lines of what was changed in commissions, and what is owed of them now. What is in a payout stays as it is.
create function ledger_of_changed_commissions() returns trigger language plpgsql
set enable_seqscan = off set enable_nestloop = off set plan_cache_mode = force_custom_plan as $$
declare
  moved record;
begin
  for moved in
    select organization_id, array_agg(id) filter (where not former.voided and changed.voided) as voided,
      array_agg(id) filter (where not former.voided and not changed.voided) as live
    from former join changed using (organization_id, id)
    where (former.commission_minor, former.affiliate_id, former.currency, former.voided, former.payable_at,
        former.created_at)
      <> (changed.commission_minor, changed.affiliate_id, changed.currency, changed.voided, changed.payable_at,
        changed.created_at)
    group by organization_id order by organization_id
  loop
    with voided as (
      delete from unpaid_commissions
      where organization_id = moved.organization_id and commission_id = any (moved.voided)
      returning commission_id
    ), live as (
      update unpaid_commissions unpaid
      set affiliate_id = changed.affiliate_id, currency = changed.currency,
        commission_minor = changed.commission_minor, payable_at = changed.payable_at, created_at = changed.created_at
      from changed
      where unpaid.organization_id = moved.organization_id and unpaid.commission_id = any (moved.live)
        and changed.organization_id = unpaid.organization_id and changed.id = unpaid.commission_id
      returning unpaid.commission_id
    ), restored as (
      insert into unpaid_commissions (organization_id, commission_id, affiliate_id, currency, commission_minor,
        payable_at, created_at)
      select organization_id, id, changed.affiliate_id, changed.currency, changed.commission_minor,
        changed.payable_at, changed.created_at
      from former join changed using (organization_id, id)
      where organization_id = moved.organization_id and former.voided and not changed.voided
      returning commission_id
    ), owed as (
      select commission_id from voided union all select commission_id from live
      union all select commission_id from restored
    )
    insert into ledger_entries (organization_id, affiliate_id, currency, commission_id, kind, unpaid_minor, cause)
    select organization_id, step.affiliate_id, step.currency, id,
      case when owed.commission_id is null then step.kind || ', though in a payout' else step.kind end,
      step.unpaid_minor, changed.cause
    from former
    join changed using (organization_id, id)
    left join owed on owed.commission_id = id
    cross join lateral (
      select not former.voided as was_live, not changed.voided as is_live,
        (former.affiliate_id, former.currency) <> (changed.affiliate_id, changed.currency) as is_moved
    ) as move
    cross join lateral (values
      (1, 'voided', former.affiliate_id, former.currency, -former.commission_minor,
        was_live and (is_moved or not is_live)),
      (2, case when changed.reversal_of is null and is_moved then 'earned' when changed.commission_minor < 0
          then 'reversed' else 'restored' end,
        changed.affiliate_id, changed.currency, changed.commission_minor, is_live and (is_moved or not was_live)),
      (3, case when changed.commission_minor < former.commission_minor then 'reduced' else 'restored' end,
        changed.affiliate_id, changed.currency, changed.commission_minor - former.commission_minor,
        was_live and is_live and not is_moved and changed.commission_minor <> former.commission_minor),
      -- It was due when it was put into its payout.
      (4, 'dated', changed.affiliate_id, changed.currency, 0, was_live and is_live and owed.commission_id is null
        and (former.payable_at, former.created_at) <> (changed.payable_at, changed.created_at))
    ) as step (place, kind, affiliate_id, currency, unpaid_minor, is_so)
    where organization_id = moved.organization_id and step.is_so
    order by organization_id, step.affiliate_id, step.currency, id, step.place;
  end loop;
  return null;
end
$$;

-- A payout gets all its commissions at once, each of which was owed until now.
create function ledger_of_added_payout_commissions() returns trigger language plpgsql
set enable_seqscan = off set enable_nestloop = off as $$
declare
  put record;
begin
  for put in
    select organization_id, affiliate_id, payout_id, array_agg(commission_id order by commission_id) as commission_ids
    from added group by organization_id, affiliate_id, payout_id order by organization_id, affiliate_id, payout_id
  loop
    with payout as materialized (
      select * from payouts where organization_id = put.organization_id and id = put.payout_id
    ), taken as (
      delete from unpaid_commissions unpaid using added
      where unpaid.organization_id = put.organization_id and unpaid.affiliate_id = put.affiliate_id
        and unpaid.currency = (select currency from payout) and added.organization_id = unpaid.organization_id
        and added.payout_id = put.payout_id and added.commission_id = unpaid.commission_id
      returning unpaid.commission_minor
    )
    insert into ledger_entries (organization_id, affiliate_id, currency, payout_id, commission_ids, kind,
      unpaid_minor, in_payout_minor, cause)
    select organization_id, affiliate_id, currency, id, put.commission_ids,
      case when status = 'pending' and taken.minor = amount_minor and taken.count = payment_count
          and taken.count = cardinality(put.commission_ids) and affiliate_id = put.affiliate_id
        then 'put_into_payout' else 'put_into_payout, but not the payout as it is' end,
      -amount_minor, amount_minor, status_by
    from payout, (select sum(commission_minor) as minor, count(*) as count from taken) as taken;
    if not found then
      raise exception 'there is no payout %', put.payout_id using errcode = 'foreign_key_violation';
    end if;
  end loop;
  return null;
end
$$;

-- All of a payout that failed or was canceled is owed again.
create function ledger_of_removed_payout_commissions() returns trigger language plpgsql
set enable_seqscan = off set plan_cache_mode = force_custom_plan as $$
declare
  taken record;
begin
  for taken in
    select organization_id, array_agg(commission_id) as commission_ids from removed
    group by organization_id order by organization_id
  loop
    insert into unpaid_commissions (organization_id, commission_id, affiliate_id, currency, commission_minor,
      payable_at, created_at)
    select organization_id, id, affiliate_id, currency, commission_minor, payable_at, created_at
    from commissions where organization_id = taken.organization_id and id = any (taken.commission_ids);
    insert into ledger_entries (organization_id, affiliate_id, currency, payout_id, kind, unpaid_minor,
      in_payout_minor, cause)
    select payout.organization_id, payout.affiliate_id, payout.currency, payout.id,
      case when payout.status in ('failed', 'canceled') and payout.payment_count = part.count
        then 'taken_out' else 'taken_out, but not the payout as it is' end,
      payout.amount_minor, -payout.amount_minor, payout.status_by
    from (
      select payout_id, count(*) as count from removed
      where organization_id = taken.organization_id group by payout_id
    ) as part
    cross join lateral (
      select * from payouts where organization_id = taken.organization_id and id = part.payout_id offset 0
    ) as payout
    order by payout.affiliate_id, payout.currency, payout.id;
  end loop;
  return null;
end
$$;

-- With a payout that is paid all that is in it is paid. What is settled stays so.
create function ledger_of_moved_payouts() returns trigger language plpgsql
set enable_seqscan = off set enable_nestloop = off set plan_cache_mode = force_custom_plan as $$
declare
  moved record;
begin
  for moved in
    select organization_id, bool_or(changed.status = 'paid' or former.status in ('paid', 'failed', 'canceled'))
        as has_lines,
      array_agg(id) filter (where changed.status in ('failed', 'canceled')) as undone
    from former join changed using (organization_id, id)
    where former.status <> changed.status
    group by organization_id order by organization_id
  loop
    if moved.has_lines then
      insert into ledger_entries (organization_id, affiliate_id, currency, payout_id, kind, in_payout_minor,
        paid_minor, cause)
      select organization_id, changed.affiliate_id, changed.currency, id,
        case when former.status in ('pending', 'processing') then 'paid'
          else changed.status || ', though ' || former.status end,
        -changed.amount_minor, changed.amount_minor, changed.status_by
      from former join changed using (organization_id, id)
      where organization_id = moved.organization_id and former.status <> changed.status
        and (changed.status = 'paid' or former.status in ('paid', 'failed', 'canceled'))
      order by changed.affiliate_id, changed.currency, id;
    end if;
    if moved.undone is not null then
      delete from payout_commissions
      where organization_id = moved.organization_id and payout_id = any (moved.undone);
    end if;
  end loop;
  return null;
end
$$;

create trigger ledger_of_new after insert on commissions
  referencing new table as made for each statement execute function ledger_of_new_commissions();
create trigger ledger_of_changed after update on commissions
  referencing old table as former new table as changed
  for each statement execute function ledger_of_changed_commissions();
create trigger ledger_of_added after insert on payout_commissions
  referencing new table as added for each statement execute function ledger_of_added_payout_commissions();
create trigger ledger_of_removed after delete on payout_commissions
  referencing old table as removed for each statement execute function ledger_of_removed_payout_commissions();
create trigger ledger_of_moved after update on payouts
  referencing old table as former new table as changed
  for each statement execute function ledger_of_moved_payouts();
create trigger never_changes before update or truncate on payout_commissions
  for each statement execute function never_changes();
-- Only triggers write what is owed.
create trigger never_changes before insert or update or delete or truncate on unpaid_commissions
  for each statement when (pg_trigger_depth() = 0) execute function never_changes();

-- Pays what is due to an affiliate in a currency: one payout of a run with all of it, if it comes to enough. What takes
-- back is netted at once, whatever its hold. Who was paid in the run is passed over, so it may be called again after any
-- failure, and by several at once. What somebody else is changing is waited for, and added up as it is then.
drop procedure pay_creditors;

create function pay_creditor(in_organization uuid, in_run uuid, in_affiliate uuid, in_currency text,
  minimum_minor bigint, in_payout uuid, made_at timestamptz) returns void
language plpgsql set enable_seqscan = off as $$
declare
  setting text;
begin
  -- What Postgres forgets when it dies, the run, which is not finished then, makes again, and its end waits for all of
  -- it. Unlike a setting of the function, this one is still in force when the transaction is committed.
  setting := set_config('synchronous_commit', 'off', true);
  with due as materialized (
    select unpaid.commission_id, unpaid.commission_minor
    from payout_runs run
    join unpaid_commissions unpaid
      on unpaid.organization_id = run.organization_id and unpaid.affiliate_id = in_affiliate
        and unpaid.currency = in_currency and (unpaid.payable_at <= run.cutoff_at or unpaid.commission_minor < 0)
        and unpaid.created_at <= run.cutoff_at
    where run.organization_id = in_organization and run.id = in_run
    for update of unpaid
  ), payout as (
    insert into payouts (organization_id, id, affiliate_id, affiliate_name, payout_email, amount_minor, currency,
      period, payment_count, status, method, created_at, run_id, status_at, status_by)
    select run.organization_id, in_payout, affiliate.id,
      coalesce(nullif(trim(affiliate.first_name || ' ' || affiliate.last_name), ''), affiliate.email),
      coalesce(affiliate.payout_email, affiliate.email), sum.amount_minor, in_currency, run.period,
      sum.payment_count, 'pending', run.method, made_at, run.id, made_at, 'payout run ' || run.id
    from (select sum(commission_minor) as amount_minor, count(*) as payment_count from due) as sum
    join payout_runs run on run.organization_id = in_organization and run.id = in_run
    join affiliates affiliate on affiliate.organization_id = in_organization and affiliate.id = in_affiliate
    where sum.amount_minor >= greatest(minimum_minor, 1)
    on conflict (organization_id, run_id, affiliate_id, currency) where run_id is not null do nothing
    returning id
  )
  insert into payout_commissions (organization_id, affiliate_id, commission_id, payout_id)
  select in_organization, in_affiliate, commission_id, payout.id from due, payout;
end
$$;
