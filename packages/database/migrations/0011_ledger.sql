-- The ledger: entries that never change, balances that sum them up, the commissions that are still owed, and guards.

-- Every change of an affiliate's money: of one commission, or of a payout with all its commissions. Never changed, never
-- deleted. No foreign keys: entries are written from rows that are never deleted, and each check would add 7 µs, 5 % of
-- the insert of a commission.
create table ledger_entries (
  organization_id uuid not null,
  number bigint generated always as identity,
  affiliate_id uuid not null,
  currency text not null,
  commission_id uuid,
  payout_id uuid,
  -- The commissions of the payout, in the entry that creates it.
  commission_ids uuid[],
  kind text not null,
  -- The change of each of the three amounts.
  unpaid_minor bigint not null default 0,
  in_payout_minor bigint not null default 0,
  paid_minor bigint not null default 0,
  -- The payment, refund, request or payout run that caused it.
  cause text not null,
  created_at timestamptz not null default clock_timestamp(),
  -- Each commission adds an entry, so indexes are few: an affiliate's entries are listed by number.
  primary key (organization_id, affiliate_id, number)
);

-- A commission's story. Ids ascend, so that new entries go to the last page of the index.
create index ledger_entries_commission on ledger_entries (organization_id, commission_id)
  where commission_id is not null;
create index ledger_entries_payout on ledger_entries (organization_id, payout_id) where payout_id is not null;
-- What was lost in a period. Earnings, which are most entries, are not in it.
create index ledger_entries_lost on ledger_entries (organization_id, created_at)
  where kind in ('reduced', 'restored', 'voided', 'reversed');

create trigger never_changes before update or delete or truncate on ledger_entries
  for each statement execute function never_changes();

-- The sum of an affiliate's entries in a currency: earned - lost = unpaid + in_payout + paid.
create table balances (
  organization_id uuid not null,
  affiliate_id uuid not null,
  currency text not null,
  earned_minor bigint not null default 0,
  -- Reduced, voided and reversed, less the amounts restored.
  lost_minor bigint not null default 0,
  unpaid_minor bigint not null default 0,
  in_payout_minor bigint not null default 0,
  paid_minor bigint not null default 0,
  primary key (organization_id, affiliate_id, currency),
  foreign key (organization_id, affiliate_id) references affiliates (organization_id, id),
  -- One check: each statement parses the text of each.
  check (earned_minor - lost_minor = unpaid_minor + in_payout_minor + paid_minor and earned_minor >= 0)
) with (fillfactor = 70);

-- The list of affiliates in the order of earned and of owed amounts.
create index balances_earned on balances (organization_id, currency, earned_minor, affiliate_id)
  where earned_minor > 0;
create index balances_unpaid on balances (organization_id, currency, unpaid_minor, affiliate_id)
  where unpaid_minor <> 0;

-- The commissions that are in no payout and not voided. No foreign key: rows are
-- written from commissions, which are never deleted, and the check would add 5 % to the insert of a commission.
create table unpaid_commissions (
  organization_id uuid not null,
  commission_id uuid not null,
  affiliate_id uuid not null,
  currency text not null,
  commission_minor bigint not null,
  -- The moment from which a payout run takes it: `dueAt` in packages/database/src/ledger/due.ts.
  due_at timestamptz not null,
  primary key (organization_id, commission_id)
);

create index unpaid_commissions_due on unpaid_commissions (organization_id, affiliate_id, currency, due_at)
  include (commission_minor);

create trigger never_truncated before truncate on unpaid_commissions
  for each statement execute function never_changes();

-- The payout status of a commission, from its payout, if it is in one, and that payout's status.
create function payout_status(voided boolean, payout_id uuid, status text) returns text language sql immutable
return case when voided then 'voided' when payout_id is null then 'not_paid' when status = 'paid' then 'paid'
  else 'pending' end;

-- Commissions with their payout status. Each part is looked up by its key (`offset 0`): with joins, the planner would
-- compare all rows of an organization without statistics with each other.
create view commission_states as
select commission.*, placed.payout_id, payout_status(commission.voided, placed.payout_id, payout.status) as payout_status
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
