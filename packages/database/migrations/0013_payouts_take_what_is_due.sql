-- A payout takes what is due as it is made: nobody else puts commissions into it. With each statement Postgres reads
-- the text of a check anew, so long ones are functions now, which it keeps.

-- Commissions with what follows from where they stand, each looked up by its own keys: joined otherwise, all of an
-- organization of which statistics do not tell yet would be compared with all.
create or replace view commission_states as
select commission.*, placed.payout_id,
  case when commission.voided then 'voided' when placed.payout_id is null then 'not_paid'
    when payout.status = 'paid' then 'paid' else 'pending' end as payout_status
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

-- Of tables that nobody but triggers may write.
create function written_by_triggers() returns trigger language plpgsql as $$
begin
  if pg_trigger_depth() = 1 then
    raise exception '%: written by triggers only', tg_table_name using errcode = 'integrity_constraint_violation';
  end if;
  return null;
end
$$;

drop trigger never_changes on unpaid_commissions;
create trigger written_by_triggers before insert or update or delete or truncate on unpaid_commissions
  for each statement execute function written_by_triggers();
create trigger written_by_triggers before insert or delete on payout_commissions
  for each statement execute function written_by_triggers();

drop trigger ledger_of_added on payout_commissions;
drop function ledger_of_added_payout_commissions;

-- A payout takes all that its affiliate was owed in its currency and was due when its run began, as it is now. If that
-- is not what the payout says, since somebody changed it meanwhile, or there is no such run, `ledger_entries_kind`
-- refuses the line, and says so.
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

-- Pays what is due to an affiliate in a currency: one payout of a run with all of it, if it comes to enough. What takes
-- back is netted at once, whatever its hold. Who was paid in the run is passed over, so it may be called again after any
-- failure, and by several at once. What somebody else is changing is waited for, and the payout refused if it is
-- another amount then: it is to be called again.
create or replace function pay_creditor(in_organization uuid, in_run uuid, in_affiliate uuid, in_currency text,
  minimum_minor bigint, in_payout uuid, made_at timestamptz) returns void
language plpgsql set enable_seqscan = off as $$
declare
  setting text;
begin
  -- What Postgres forgets when it dies, the run, which is not finished then, makes again, and its end waits for all of
  -- it. Unlike a setting of the function, this one is still in force when the transaction is committed.
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

-- Pays several, each in a transaction of its own. The first that is refused ends it; those before it are paid.
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

-- Whether a line changes what its kind may change, of what it names.
create function is_ledger_entry(kind text, commission_id uuid, payout_id uuid, commission_ids uuid[],
  unpaid_minor bigint, in_payout_minor bigint, paid_minor bigint) returns boolean
language plpgsql immutable as $$
begin
  if payout_id is null then
    return commission_id is not null and commission_ids is null and in_payout_minor = 0 and paid_minor = 0
      and case kind when 'earned' then unpaid_minor >= 0 when 'restored' then unpaid_minor >= 0
        when 'reduced' then unpaid_minor < 0 when 'reversed' then unpaid_minor < 0
        else kind = 'voided' end;
  end if;
  return commission_id is null and unpaid_minor + in_payout_minor + paid_minor = 0
    and case kind when 'put_into_payout' then commission_ids is not null and paid_minor = 0
      when 'taken_out' then commission_ids is null and paid_minor = 0
      when 'paid' then commission_ids is null and unpaid_minor = 0
      else false end;
end
$$;

-- The same as the one before, so nobody has to wait until all lines are read. Last, as whoever writes lines does it last.
alter table ledger_entries
  drop constraint ledger_entries_kind,
  add constraint ledger_entries_kind check (is_ledger_entry(kind, commission_id, payout_id, commission_ids,
    unpaid_minor, in_payout_minor, paid_minor)) not valid;
