-- A payout that was paid can fail: the money came back.

-- FF004: a payout has the entry of its status. FF005: a settled payout is final, except that a paid one can fail.
create or replace function guard_payout() returns trigger language plpgsql set enable_seqscan = off as $$
declare
  posted text := case when new.status = 'paid' then 'paid' when new.status in ('failed', 'canceled') then 'taken_out'
    else 'put_into_payout' end;
begin
  if tg_op = 'UPDATE' then
    if old.status in ('failed', 'canceled') or (old.status = 'paid' and new.status <> 'failed') then
      raise exception 'payout % is %, which is final', new.id, old.status using errcode = 'FF005';
    end if;
    if new.status = 'processing' then
      return null;
    end if;
    if old.status = 'paid' then
      posted := 'returned';
    end if;
  end if;
  if not exists (
    select from ledger_entries entry
    where entry.organization_id = new.organization_id and entry.payout_id = new.id and entry.kind = posted
      and abs(case posted when 'returned' then entry.paid_minor else entry.in_payout_minor end) = new.amount_minor
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
