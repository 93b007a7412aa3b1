-- Holds of bans, which the end of the ban can end, and of erased affiliates, whom nobody can pay.

alter table payout_holds
  -- Whether a ban set it. Of holds from before, those of banned affiliates count.
  add column of_ban boolean not null default false;

update payout_holds hold set of_ban = true
from affiliates affiliate
where affiliate.organization_id = hold.organization_id and affiliate.id = hold.affiliate_id and affiliate.banned;

insert into payout_holds (organization_id, affiliate_id, reason, held_by, held_at)
select organization_id, id, 'Erased: nobody can be paid.', 'operator', now() from affiliates where erased_at is not null
on conflict (organization_id, affiliate_id) do update set reason = excluded.reason, of_ban = false;

-- FF007: an erased affiliate is never paid.
create function keep_hold_of_erased() returns trigger language plpgsql as $$
begin
  if exists (
    select from affiliates
    where organization_id = old.organization_id and id = old.affiliate_id and erased_at is not null
  ) then
    raise exception 'affiliate % is erased, and its hold stays', old.affiliate_id using errcode = 'FF007';
  end if;
  return old;
end
$$;

create trigger of_erased before delete on payout_holds
  for each row execute function keep_hold_of_erased();
