-- The triggers that write the ledger with every change of commissions and payouts, and the creation of payouts.
--
-- A connection plans a function's statements once, possibly for one row and while tables are empty. So rarely used
-- functions plan them again, and avoid nested loops. A change that the rules forbid becomes an entry that
-- `ledger_entries_kind` refuses and that says why.

-- Entries of new commissions, and their unpaid amounts.
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

create trigger ledger_of_new after insert on commissions
  referencing new table as made for each statement execute function ledger_of_new_commissions();

-- Entries of changed commissions, and their unpaid amounts. Commissions in a payout cannot change.
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
      -- A commission in a payout was already due.
      (4, 'dated', changed.affiliate_id, changed.currency, 0, was_live and is_live and owed.commission_id is null
        and (former.payable_at, former.created_at) <> (changed.payable_at, changed.created_at))
    ) as step (place, kind, affiliate_id, currency, unpaid_minor, is_so)
    where organization_id = moved.organization_id and step.is_so
    order by organization_id, step.affiliate_id, step.currency, id, step.place;
  end loop;
  return null;
end
$$;

create trigger ledger_of_changed after update on commissions
  referencing old table as former new table as changed
  for each statement execute function ledger_of_changed_commissions();

-- A new payout takes everything that its affiliate was owed in its currency and was due at the run's cutoff. If the
-- payout states another amount, because of a concurrent change, or has no run, `ledger_entries_kind` refuses the entry.
create function ledger_of_made_payouts() returns trigger language plpgsql set enable_seqscan = off as $$
begin
  with taken as (
    delete from unpaid_commissions unpaid using payout_runs run
    where run.organization_id = new.organization_id and run.id = new.run_id
      and unpaid.organization_id = new.organization_id and unpaid.affiliate_id = new.affiliate_id
      and unpaid.currency = new.currency and (unpaid.payable_at <= run.cutoff_at or unpaid.commission_minor < 0)
      and unpaid.created_at <= run.cutoff_at
    returning unpaid.commission_id, unpaid.commission_minor
  ), placed as (
    insert into payout_commissions (organization_id, affiliate_id, commission_id, payout_id)
    select new.organization_id, new.affiliate_id, commission_id, new.id from taken
  )
  insert into ledger_entries (organization_id, affiliate_id, currency, payout_id, commission_ids, kind,
    unpaid_minor, in_payout_minor, cause)
  select new.organization_id, new.affiliate_id, new.currency, new.id, array_agg(commission_id order by commission_id),
    case when new.status = 'pending' and sum(commission_minor) = new.amount_minor and count(*) = new.payment_count
      then 'put_into_payout' else 'put_into_payout, but not the payout as it is' end,
    -new.amount_minor, new.amount_minor, new.status_by
  from taken;
  return null;
end
$$;

create trigger ledger_of_made after insert on payouts
  for each row execute function ledger_of_made_payouts();

-- The commissions of a failed or canceled payout are owed again.
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

create trigger ledger_of_removed after delete on payout_commissions
  referencing old table as removed for each statement execute function ledger_of_removed_payout_commissions();

-- A paid payout pays all its commissions. A paid, failed or canceled payout keeps its status.
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

create trigger ledger_of_moved after update on payouts
  referencing old table as former new table as changed
  for each statement execute function ledger_of_moved_payouts();

-- Pays an affiliate in a currency: one payout of a run with everything that is due, if it reaches the minimum. Negative
-- commissions count at once, whatever their holding period. Affiliates that the run already paid are skipped, so it can
-- be repeated after any failure, and run concurrently. It waits for concurrent changes, and fails if they change the
-- amount: repeat it then.
create function pay_creditor(in_organization uuid, in_run uuid, in_affiliate uuid, in_currency text,
  minimum_minor bigint, in_payout uuid, made_at timestamptz) returns void
language plpgsql set enable_seqscan = off as $$
declare
  setting text;
begin
  -- A crash may lose recent payouts: the unfinished run creates them again, and waits for all of them at its end. Unlike
  -- a setting of the function, this one is still in force at the commit.
  setting := set_config('synchronous_commit', 'off', true);
  insert into payouts (organization_id, id, affiliate_id, affiliate_name, payout_email, amount_minor, currency,
    period, payment_count, status, method, created_at, run_id, status_at, status_by)
  select run.organization_id, in_payout, affiliate.id,
    coalesce(nullif(trim(affiliate.first_name || ' ' || affiliate.last_name), ''), affiliate.email),
    coalesce(affiliate.payout_email, affiliate.email), due.amount_minor, in_currency, run.period,
    due.payment_count, 'pending', run.method, made_at, run.id, made_at, 'payout run ' || run.id
  from payout_runs run
  cross join lateral (
    select sum(commission_minor) as amount_minor, count(*) as payment_count
    from unpaid_commissions
    where organization_id = in_organization and affiliate_id = in_affiliate and currency = in_currency
      and (payable_at <= run.cutoff_at or commission_minor < 0) and unpaid_commissions.created_at <= run.cutoff_at
  ) as due
  join affiliates affiliate on affiliate.organization_id = in_organization and affiliate.id = in_affiliate
  where run.organization_id = in_organization and run.id = in_run
    and due.amount_minor >= greatest(minimum_minor, 1)
  on conflict (organization_id, run_id, affiliate_id, currency) where run_id is not null do nothing;
end
$$;

-- Pays several, each in its own transaction. The first failure ends it; those before it are paid.
create procedure pay_creditors(in_organization uuid, in_run uuid, affiliate_ids uuid[], currencies text[],
  minimums_minor bigint[], payout_ids uuid[], made_at timestamptz)
language plpgsql as $$
begin
  for place in 1 .. cardinality(affiliate_ids) loop
    perform pay_creditor(in_organization, in_run, affiliate_ids[place], currencies[place], minimums_minor[place],
      payout_ids[place], made_at);
    commit;
  end loop;
end
$$;
