-- Payout days and the months of runs follow the organization's time zone.

-- The organization's zone when the run started: that of its month, and of the days in its statements. Those before were in UTC.
alter table payout_runs add column time_zone text not null default 'UTC';

-- Since when the organization has a payout day: those from before it start no run later.
alter table organizations add column payout_day_since timestamptz;
update organizations set payout_day_since = now() where payout_day is not null;
alter table organizations
  add constraint organizations_payout_day_since check ((payout_day is null) = (payout_day_since is null));

create function set_payout_day_since() returns trigger language plpgsql as $$
begin
  if new.payout_day is null then
    new.payout_day_since := null;
  elsif tg_op = 'INSERT' or old.payout_day is null then
    new.payout_day_since := coalesce(new.payout_day_since, now());
  end if;
  return new;
end
$$;

create trigger payout_day_since before insert or update of payout_day on organizations
  for each row execute function set_payout_day_since();
