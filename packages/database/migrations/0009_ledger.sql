-- What affiliates are owed: a ledger of entries that never change, balances that add them up, payout runs.

alter table organizations
  -- How long a commission is held before it may be paid; for those that are made from now on.
  add column hold_days integer not null default 15 check (hold_days between 0 and 365),
  -- In the organization's currency. Less than that is carried forward; 0: anything is paid.
  add column minimum_payout_minor bigint not null default 0 check (minimum_payout_minor >= 0),
  -- The day of the month (UTC) on which a run begins by itself; null: never.
  add column payout_day integer check (payout_day between 1 and 28);

-- A run pays what is due at its moment: one payout for each affiliate and currency.
create table payout_runs (
  organization_id uuid not null references organizations (id),
  id uuid not null,
  period text not null check (period ~ '^[0-9]{4}-(0[1-9]|1[0-2])$'),
  -- What was made later, or is held beyond it, is the next run's.
  cutoff_at timestamptz not null,
  -- As the setting was then, in this currency.
  minimum_payout_minor bigint not null check (minimum_payout_minor >= 0),
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  method text not null check (method in ('manual', 'paypal', 'wise')),
  -- Whose wish it was: a key, or the payout day.
  started_by text not null,
  created_at timestamptz not null,
  finished_at timestamptz,
  primary key (organization_id, id)
);

-- A period is run once; a run that was interrupted is gone on with.
create unique index payout_runs_period on payout_runs (organization_id, period);
create index payout_runs_unfinished on payout_runs (organization_id, id) where finished_at is null;

alter table payouts
  add column run_id uuid,
  -- When it came to where it stands, and who said so.
  add column status_at timestamptz,
  add column status_by text,
  -- Why it failed or was canceled.
  add column status_reason text,
  add constraint payouts_run foreign key (organization_id, run_id) references payout_runs (organization_id, id),
  add constraint payouts_amount check (amount_minor > 0);

update payouts set status_at = created_at, status_by = 'before the ledger';
alter table payouts alter column status_at set not null, alter column status_by set not null;

-- Whoever runs twice, or in two places, pays nobody twice.
create unique index payouts_run on payouts (organization_id, run_id, affiliate_id, currency) where run_id is not null;

alter table commissions
  -- When it may be paid: its referral_date and the organization's hold at the time that it was made.
  add column payable_at timestamptz,
  -- What made it what it is: the ledger's entries take it from here.
  add column cause text;

update commissions set payable_at = referral_date + interval '15 days', cause = 'before the ledger';
alter table commissions alter column payable_at set not null, alter column cause set not null;

-- That the payout is there, of the same affiliate and currency, is seen to by `ledger_of_changed_commissions` for all
-- rows of a statement at once: a foreign key would look for the same payout once for each of its commissions.
alter table commissions drop constraint commissions_organization_id_payout_id_fkey;

-- What is not in a payout yet, and how much of it may be paid when.
create index commissions_unpaid on commissions (organization_id, affiliate_id, currency, payable_at)
  include (commission_minor, created_at) where payout_status = 'not_paid';

-- What happened to affiliates' money, one line for each time: of a commission, or of a payout with all that is in it.
-- Never changed, never deleted.
create table ledger_entries (
  organization_id uuid not null,
  number bigint generated always as identity,
  affiliate_id uuid not null,
  currency text not null,
  commission_id uuid,
  payout_id uuid,
  -- What was put into the payout.
  commission_ids uuid[],
  kind text not null,
  -- By how much each of the three changed.
  unpaid_minor bigint not null default 0,
  in_payout_minor bigint not null default 0,
  paid_minor bigint not null default 0,
  -- A payment, a refund, a request, a run, a move: whatever made it so.
  cause text not null,
  created_at timestamptz not null default clock_timestamp(),
  -- No foreign keys: each line is made of rows that are there by a trigger, and those are never deleted.
  primary key (organization_id, number),
  -- Each insert reads it anew, so it is short.
  constraint ledger_entries_kind check (case when payout_id is null
    then commission_id is not null and commission_ids is null and in_payout_minor = 0 and paid_minor = 0
      and (kind = 'voided' or kind = any ('{earned,restored,reduced,reversed}')
        and (unpaid_minor < 0) = (kind = any ('{reduced,reversed}')))
    else commission_id is null and (commission_ids is null) = (kind = any ('{taken_out,paid}'))
      and unpaid_minor + in_payout_minor + paid_minor = 0
      and (kind = 'paid' and unpaid_minor = 0
        or kind = any ('{put_into_payout,taken_out}') and paid_minor = 0)
    end)
);

create index ledger_entries_affiliate on ledger_entries (organization_id, affiliate_id, number);

-- The entries of an affiliate in a currency, added up: earned - lost = unpaid + in_payout + paid.
create table balances (
  organization_id uuid not null,
  affiliate_id uuid not null,
  currency text not null,
  earned_minor bigint not null default 0,
  -- Taken back before or after it was paid: reduced, voided, reversed, less what was restored.
  lost_minor bigint not null default 0,
  unpaid_minor bigint not null default 0,
  in_payout_minor bigint not null default 0,
  paid_minor bigint not null default 0,
  primary key (organization_id, affiliate_id, currency),
  foreign key (organization_id, affiliate_id) references affiliates (organization_id, id),
  check (earned_minor - lost_minor = unpaid_minor + in_payout_minor + paid_minor),
  check (earned_minor >= 0)
) with (fillfactor = 70);

-- Lines of commissions that were made, as they are.
create function ledger_of_new_commissions() returns trigger language plpgsql as $$
begin
  insert into ledger_entries (organization_id, affiliate_id, currency, commission_id, kind, unpaid_minor, cause)
  select made.organization_id, made.affiliate_id, made.currency, made.id, step.kind, step.unpaid_minor, made.cause
  from made
  cross join lateral (values
    (1, case when made.reversal_of is null then 'earned' when made.commission_minor < 0 then 'reversed'
        else 'restored' end, made.commission_minor, true),
    (2, 'voided', -made.commission_minor, made.payout_status = 'voided'),
    (3, 'made in a payout', 0, made.payout_id is not null)
  ) as step (place, kind, unpaid_minor, is_so)
  where step.is_so
  order by made.organization_id, made.affiliate_id, made.currency, made.id, step.place;
  return null;
end
$$;

-- Lines of what was changed in commissions, and of the payouts that they were put into, taken out of or paid with.
-- Those have one line for all that is in them, so that a payout moves as a whole. What is paid stays as it is, and what
-- is in a payout, as long as it is. What is otherwise (a part of a payout, one that is not there or another affiliate's,
-- a changed amount) is a line that `ledger_entries_kind` refuses.
create function ledger_of_changed_commissions() returns trigger language plpgsql as $$
declare
  are_changed boolean;
  are_in_payouts boolean;
begin
  -- An empty insert would cost as much as one of some lines: its own trigger fires, too.
  select bool_or(former.commission_minor <> changed.commission_minor or former.affiliate_id <> changed.affiliate_id
      or former.currency <> changed.currency
      or (former.payout_status = 'voided') <> (changed.payout_status = 'voided')),
    bool_or(former.payout_id is not null or changed.payout_id is not null)
  into are_changed, are_in_payouts
  from former join changed using (organization_id, id);
  if are_changed then
    insert into ledger_entries (organization_id, affiliate_id, currency, commission_id, kind, unpaid_minor, cause)
    select organization_id, step.affiliate_id, step.currency, id, step.kind, step.unpaid_minor, changed.cause
    from former
    join changed using (organization_id, id)
    cross join lateral (
      select former.payout_status <> 'voided' as was_live, changed.payout_status <> 'voided' as is_live,
        (former.affiliate_id, former.currency) is distinct from (changed.affiliate_id, changed.currency) as is_moved
    ) as move
    cross join lateral (values
      (1, 'voided', former.affiliate_id, former.currency, -former.commission_minor,
        was_live and (is_moved or not is_live)),
      (2, case when changed.reversal_of is null and is_moved then 'earned' when changed.commission_minor < 0
          then 'reversed' else 'restored' end,
        changed.affiliate_id, changed.currency, changed.commission_minor, is_live and (is_moved or not was_live)),
      (3, case when changed.commission_minor < former.commission_minor then 'reduced' else 'restored' end,
        changed.affiliate_id, changed.currency, changed.commission_minor - former.commission_minor,
        was_live and is_live and not is_moved and changed.commission_minor <> former.commission_minor)
    ) as step (place, kind, affiliate_id, currency, unpaid_minor, is_so)
    where step.is_so
    order by organization_id, step.affiliate_id, step.currency, id, step.place;
  end if;
  if are_in_payouts then
    insert into ledger_entries (organization_id, affiliate_id, currency, payout_id, commission_ids, kind,
      unpaid_minor, in_payout_minor, paid_minor, cause)
    select moved.organization_id, moved.affiliate_id, moved.currency, step.payout_id,
      case step.kind when 'put_into_payout' then moved.commission_ids end,
      case when payout.amount_minor = moved.minor and payout.payment_count = cardinality(moved.commission_ids)
        then step.kind else step.kind || ', but not the payout as it is' end,
      case step.kind when 'put_into_payout' then -moved.minor when 'taken_out' then moved.minor else 0 end,
      case step.kind when 'put_into_payout' then moved.minor else -moved.minor end,
      case step.kind when 'paid' then moved.minor else 0 end,
      moved.cause
    from (
      select organization_id, changed.affiliate_id, changed.currency, former.payout_id as former_payout_id,
        changed.payout_id, former.payout_status as former_status, changed.payout_status as status,
        sum(changed.commission_minor) as minor, array_agg(id order by id) as commission_ids,
        bool_or((former.affiliate_id, former.currency, former.commission_minor)
          <> (changed.affiliate_id, changed.currency, changed.commission_minor)) as is_changed,
        min(changed.cause) as cause
      from former
      join changed using (organization_id, id)
      where former.payout_id is not null or changed.payout_id is not null
      group by organization_id, changed.affiliate_id, changed.currency, former.payout_id, changed.payout_id,
        former.payout_status, changed.payout_status
    ) as moved
    cross join lateral (values
      (1, 'taken_out', former_payout_id, former_status = 'pending' and moved.payout_id is null),
      (2, 'put_into_payout', moved.payout_id, former_payout_id is null),
      (3, 'paid', moved.payout_id, former_status <> 'paid' and status = 'paid'),
      (4, 'changed', former_payout_id, former_status = 'paid' and status <> 'paid'
        or former_payout_id <> moved.payout_id or former_payout_id = moved.payout_id and is_changed)
    ) as step (place, kind, payout_id, is_so)
    -- Looked up one by one: planned once, while there were none, it might read all that there are since.
    left join lateral (
      select amount_minor, payment_count from payouts
      where organization_id = moved.organization_id and id = step.payout_id and affiliate_id = moved.affiliate_id
        and currency = moved.currency
      offset 0
    ) as payout on true
    where step.is_so
    order by moved.organization_id, moved.affiliate_id, moved.currency, step.payout_id, step.place;
  end if;
  return null;
end
$$;

-- Rows are locked in the order of their keys, so that two statements never wait for each other.
create function balances_of_ledger_entries() returns trigger language plpgsql as $$
begin
  insert into balances as balance (organization_id, affiliate_id, currency, earned_minor, lost_minor,
    unpaid_minor, in_payout_minor, paid_minor)
  select organization_id, affiliate_id, currency,
    coalesce(sum(unpaid_minor) filter (where kind = 'earned'), 0),
    -coalesce(sum(unpaid_minor) filter (where kind in ('reduced', 'restored', 'voided', 'reversed')), 0),
    sum(unpaid_minor), sum(in_payout_minor), sum(paid_minor)
  from added
  group by organization_id, affiliate_id, currency
  order by organization_id, affiliate_id, currency
  on conflict (organization_id, affiliate_id, currency) do update
  set earned_minor = balance.earned_minor + excluded.earned_minor,
    lost_minor = balance.lost_minor + excluded.lost_minor,
    unpaid_minor = balance.unpaid_minor + excluded.unpaid_minor,
    in_payout_minor = balance.in_payout_minor + excluded.in_payout_minor,
    paid_minor = balance.paid_minor + excluded.paid_minor;
  return null;
end
$$;

create function never_changes() returns trigger language plpgsql as $$
begin
  raise exception '%: what was written stays', tg_table_name using errcode = 'integrity_constraint_violation';
end
$$;

create trigger balances after insert on ledger_entries
  referencing new table as added for each statement execute function balances_of_ledger_entries();
create trigger never_changes before update or delete or truncate on ledger_entries
  for each statement execute function never_changes();
create trigger never_deleted before delete or truncate on commissions
  for each statement execute function never_changes();
create trigger never_deleted before delete or truncate on payouts
  for each statement execute function never_changes();
create trigger never_changes
  before update of affiliate_id, amount_minor, currency, period, payment_count, run_id on payouts
  for each statement execute function never_changes();

-- Those of before the ledger.
insert into ledger_entries (organization_id, affiliate_id, currency, commission_id, kind, unpaid_minor, cause)
select made.organization_id, made.affiliate_id, made.currency, made.id, step.kind, step.unpaid_minor, made.cause
from commissions made
cross join lateral (values
  (1, case when made.reversal_of is null then 'earned' when made.commission_minor < 0 then 'reversed'
      else 'restored' end, made.commission_minor, true),
  (2, 'voided', -made.commission_minor, made.payout_status = 'voided')
) as step (place, kind, unpaid_minor, is_so)
where step.is_so
order by made.organization_id, made.affiliate_id, made.currency, made.id, step.place;

insert into ledger_entries (organization_id, affiliate_id, currency, payout_id, commission_ids, kind,
  unpaid_minor, in_payout_minor, paid_minor, cause)
select moved.organization_id, moved.affiliate_id, moved.currency, moved.payout_id, step.commission_ids, step.kind,
  step.unpaid_minor, step.in_payout_minor, step.paid_minor, 'before the ledger'
from (
  select organization_id, affiliate_id, currency, payout_id, payout_status, sum(commission_minor) as minor,
    array_agg(id order by id) as commission_ids
  from commissions where payout_status in ('pending', 'paid')
  group by organization_id, affiliate_id, currency, payout_id, payout_status
) as moved
cross join lateral (values
  (1, 'put_into_payout', moved.commission_ids, -moved.minor, moved.minor, 0::numeric, true),
  (2, 'paid', null, 0, -moved.minor, moved.minor, moved.payout_status = 'paid')
) as step (place, kind, commission_ids, unpaid_minor, in_payout_minor, paid_minor, is_so)
where step.is_so
order by moved.organization_id, moved.affiliate_id, moved.currency, moved.payout_id, step.place;

create trigger ledger_of_new after insert on commissions
  referencing new table as made for each statement execute function ledger_of_new_commissions();
create trigger ledger_of_changed after update on commissions
  referencing old table as former new table as changed
  for each statement execute function ledger_of_changed_commissions();

-- Pays what is due to affiliates, each in a transaction of its own: one payout of a run with all that is due of a
-- currency, if it comes to enough. What takes back is netted at once, whatever its hold. Those who were paid in the run
-- are passed over, so it may be called again after any failure, and by several at once. What changes between the two
-- statements makes them differ, which the ledger refuses (and where nothing is left, so is that): then it is to be
-- called again, too.
create procedure pay_creditors(in in_organization uuid, in in_run uuid, in affiliate_ids uuid[], in currencies text[],
  in minimums_minor bigint[], in payout_ids uuid[], in made_at timestamptz)
language plpgsql as $$
declare
  run payout_runs;
  maker text := 'payout run ' || in_run;
begin
  select * into strict run from payout_runs where organization_id = in_organization and id = in_run;
  for place in 1 .. cardinality(affiliate_ids) loop
    -- What Postgres forgets when it dies, the run, which is not finished then, makes again, and its end waits for all
    -- of it. And checks of keys are planned once for a connection: planned while there were few payouts, they would
    -- read all that there are since.
    perform set_config('synchronous_commit', 'off', true), set_config('enable_seqscan', 'off', true);
    insert into payouts (organization_id, id, affiliate_id, affiliate_name, payout_email, amount_minor, currency,
      period, payment_count, status, method, created_at, run_id, status_at, status_by)
    select affiliate.organization_id, payout_ids[place], affiliate.id,
      coalesce(nullif(trim(affiliate.first_name || ' ' || affiliate.last_name), ''), affiliate.email),
      coalesce(affiliate.payout_email, affiliate.email), due.amount_minor, currencies[place], run.period,
      due.payment_count, 'pending', run.method, made_at, run.id, made_at, maker
    from (
      select sum(commission_minor) as amount_minor, count(*) as payment_count from commissions
      where organization_id = run.organization_id and affiliate_id = affiliate_ids[place]
        and currency = currencies[place] and payout_status = 'not_paid'
        and (payable_at <= run.cutoff_at or commission_minor < 0) and created_at <= run.cutoff_at
    ) as due
    join affiliates affiliate
      on affiliate.organization_id = run.organization_id and affiliate.id = affiliate_ids[place]
    where due.amount_minor >= greatest(minimums_minor[place], 1)
    on conflict (organization_id, run_id, affiliate_id, currency) where run_id is not null do nothing;
    if found then
      update commissions set payout_status = 'pending', payout_id = payout_ids[place], cause = maker
      where organization_id = run.organization_id and affiliate_id = affiliate_ids[place]
        and currency = currencies[place] and payout_status = 'not_paid'
        and (payable_at <= run.cutoff_at or commission_minor < 0) and created_at <= run.cutoff_at;
      if not found then
        raise 'of payout %, nothing is due any more', payout_ids[place]
          using errcode = 'check_violation', constraint = 'ledger_entries_kind';
      end if;
    end if;
    commit;
  end loop;
end
$$;
