-- Applications that are declined, and the orders of the dashboard's list of affiliates.

-- An application that was declined. The API shows it as not approved. Approving or banning ends it.
alter table affiliates
  add column declined_at timestamptz,
  add column decline_reason text,
  -- When the affiliate confirmed its email address; null: it was not asked, or has not.
  add column email_confirmed_at timestamptz,
  add constraint affiliates_declined check (
    case when declined_at is null then decline_reason is null else not approved and not banned end);

-- An erased affiliate is banned, so it is not declined. No reason that names it stays.

-- Clients of the API approve and ban without the columns above.
create function end_declined() returns trigger language plpgsql as $$
begin
  new.declined_at := null;
  new.decline_reason := null;
  return new;
end
$$;

create trigger declined_ended before update on affiliates
  for each row when (new.declined_at is not null and (new.approved or new.banned))
  execute function end_declined();

-- Those who wait, by age: neither approved, nor banned, nor declined.
create index affiliates_waiting on affiliates (organization_id, id)
  where not approved and not banned and declined_at is null;
create index affiliates_declined on affiliates (organization_id, id) where declined_at is not null;

-- Of many affiliates with a text that begins alike, the newest ones are found in the index alone, without their rows. Postgres
-- does so only if the index also has the columns that its expression reads.
drop index affiliates_email;
drop index affiliates_name;
drop index affiliates_last_name;
create index affiliates_email on affiliates (organization_id, lower(email), id) include (email);
create index affiliates_name on affiliates (organization_id, lower(first_name || ' ' || last_name), id)
  include (first_name, last_name);
create index affiliates_last_name on affiliates (organization_id, lower(last_name), id) include (last_name);
drop index affiliate_codes_code;
create unique index affiliate_codes_code on affiliate_codes (organization_id, kind, lower(code))
  include (code, affiliate_id);

-- The list in the order of earned and of owed amounts.
create index balances_earned on balances (organization_id, currency, earned_minor, affiliate_id)
  where earned_minor > 0;
create index balances_unpaid on balances (organization_id, currency, unpaid_minor, affiliate_id)
  where unpaid_minor <> 0;

-- The list by clicks. An index of affiliates.clicks would make each click rewrite all indexes of the row, so the order is
-- that of the sealed totals, an hour or two old. No foreign key: rows are only written from those of daily_totals.
create table affiliate_clicks (
  organization_id uuid not null,
  affiliate_id uuid not null,
  clicks bigint not null,
  primary key (organization_id, affiliate_id)
);

create index affiliate_clicks_order on affiliate_clicks (organization_id, clicks, affiliate_id) where clicks > 0;

create function count_affiliate_clicks() returns trigger language plpgsql as $$
declare
  of_row daily_totals := case when tg_op = 'DELETE' then old else new end;
  difference bigint := case when tg_op = 'DELETE' then 0 else new.clicks end
    - case when tg_op = 'INSERT' then 0 else old.clicks end;
begin
  insert into affiliate_clicks as known (organization_id, affiliate_id, clicks)
  values (of_row.organization_id, of_row.affiliate_id, difference)
  on conflict (organization_id, affiliate_id) do update set clicks = known.clicks + difference;
  return null;
end
$$;

create trigger clicks_added after insert on daily_totals
  for each row when (new.clicks > 0) execute function count_affiliate_clicks();
create trigger clicks_changed after update on daily_totals
  for each row when (old.clicks <> new.clicks) execute function count_affiliate_clicks();
create trigger clicks_deleted after delete on daily_totals
  for each row when (old.clicks > 0) execute function count_affiliate_clicks();

insert into affiliate_clicks (organization_id, affiliate_id, clicks)
select organization_id, affiliate_id, sum(clicks)::bigint from daily_totals
where clicks > 0 group by 1, 2;
