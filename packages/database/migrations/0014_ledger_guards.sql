-- Guards of the ledger: they write nothing. The statements that write commissions and payouts contain their postings
-- (packages/database/src/ledger/postings.ts), and these triggers refuse a statement that leaves one out. `errors.ts` names
-- the errcodes.
--
-- An insert of commissions has no guard, since a check at commit adds 8 to 10 % to it. A test walks all statements
-- that insert commissions instead, and `verify ledger` compares all rows.

-- FF002: the amount, affiliate, currency and dates of a commission in a payout are final. FF003: unpaid_commissions follows
-- every other change.
create function guard_changed_commissions() returns trigger language plpgsql
-- Transition tables have no statistics.
set enable_seqscan = off set enable_nestloop = off set plan_cache_mode = force_custom_plan as $$
declare
  organization record;
  unpaid_count bigint;
  other_count bigint;
begin
  for organization in
    select organization_id, array_agg(id) as ids, array_agg(distinct former.affiliate_id) as affiliate_ids, count(*) filter (where not changed.voided) as live_count
    from former join changed using (organization_id, id)
    where (former.commission_minor, former.affiliate_id, former.currency, former.voided, former.payable_at,
        former.created_at)
      <> (changed.commission_minor, changed.affiliate_id, changed.currency, changed.voided, changed.payable_at,
        changed.created_at)
    group by organization_id
  loop
    perform from payout_commissions
    where organization_id = organization.organization_id and affiliate_id = any (organization.affiliate_ids)
      and commission_id = any (organization.ids)
    limit 1;
    if found then
      raise exception 'commissions changed that are in a payout' using errcode = 'FF002';
    end if;
    select count(*) filter (where changed.id is not null), count(*) filter (where changed.id is null)
    into unpaid_count, other_count
    from (
      select * from unpaid_commissions
      where organization_id = organization.organization_id and commission_id = any (organization.ids)
    ) as unpaid
    left join changed
      on changed.organization_id = unpaid.organization_id and changed.id = unpaid.commission_id
        and not changed.voided
        and (changed.affiliate_id, changed.currency, changed.commission_minor)
          = (unpaid.affiliate_id, unpaid.currency, unpaid.commission_minor);
    if unpaid_count <> organization.live_count or other_count > 0 then
      raise exception 'commissions changed without their unpaid_commissions' using errcode = 'FF003';
    end if;
  end loop;
  return null;
end
$$;

create trigger guard_changed after update on commissions
  referencing old table as former new table as changed
  for each statement execute function guard_changed_commissions();

-- FF003: a commission stops being unpaid only in a payout or when it is voided, and is unpaid as it is.
create function guard_unpaid_commissions() returns trigger language plpgsql
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
    ) into is_broken;
  else
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

create trigger guard_updated after update on unpaid_commissions
  referencing new table as changed for each statement execute function guard_unpaid_commissions();
create trigger guard_deleted after delete on unpaid_commissions
  referencing old table as changed for each statement execute function guard_unpaid_commissions();

-- FF004: a payout takes all its commissions at once, and gives all of them back when it fails or is canceled.
create function guard_payout_commissions() returns trigger language plpgsql
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
declare
  payout_id uuid;
begin
  select placed.payout_id into payout_id
  from (
    select changed.organization_id, changed.payout_id, count(*) as count
    from changed group by changed.organization_id, changed.payout_id
  ) as placed
  left join payouts payout on payout.organization_id = placed.organization_id and payout.id = placed.payout_id
  where payout.payment_count is distinct from placed.count
    or (payout.status in ('failed', 'canceled')) <> (tg_op = 'DELETE')
  limit 1;
  if found then
    raise exception 'payout % does not match its commissions', payout_id using errcode = 'FF004';
  end if;
  return null;
end
$$;

create trigger guard_added after insert on payout_commissions
  referencing new table as changed for each statement execute function guard_payout_commissions();
create trigger guard_removed after delete on payout_commissions
  referencing old table as changed for each statement execute function guard_payout_commissions();

-- FF004: a payout has the entry of its status. FF005: a settled payout is final.
create function guard_payout() returns trigger language plpgsql set enable_seqscan = off as $$
declare
  posted text := case when new.status = 'paid' then 'paid' when new.status in ('failed', 'canceled') then 'taken_out'
    else 'put_into_payout' end;
begin
  if tg_op = 'UPDATE' then
    if old.status in ('paid', 'failed', 'canceled') then
      raise exception 'payout % is %, which is final', new.id, old.status using errcode = 'FF005';
    end if;
    if new.status = 'processing' then
      return null;
    end if;
  end if;
  if not exists (
    select from ledger_entries entry
    where entry.organization_id = new.organization_id and entry.payout_id = new.id and entry.kind = posted
      and abs(entry.in_payout_minor) = new.amount_minor
  ) then
    raise exception 'payout % is % without its entry', new.id, new.status using errcode = 'FF004';
  end if;
  if posted <> 'paid' and (posted = 'put_into_payout') <> exists (
    select from payout_commissions where organization_id = new.organization_id and payout_id = new.id
  ) then
    raise exception 'payout % does not match its commissions', new.id using errcode = 'FF004';
  end if;
  return null;
end
$$;

create trigger guard_inserted after insert on payouts for each row execute function guard_payout();
create trigger guard_status after update of status on payouts
  for each row when (old.status is distinct from new.status) execute function guard_payout();
