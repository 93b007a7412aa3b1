-- The day of each affiliate's last click, beside the clicks of the sealed totals: recording a click writes nothing here.

alter table affiliate_clicks add column last_day date;

update affiliate_clicks set last_day = last.day
from (
  select organization_id, generation, affiliate_id, max(day) as day from daily_totals where clicks > 0 group by 1, 2, 3
) as last
where affiliate_clicks.organization_id = last.organization_id and affiliate_clicks.generation = last.generation
  and affiliate_clicks.affiliate_id = last.affiliate_id;

create or replace function add_affiliate_clicks() returns trigger language plpgsql as $$
begin
  insert into affiliate_clicks as known (organization_id, generation, affiliate_id, clicks, last_day)
  select organization_id, generation, affiliate_id, sum(clicks)::bigint, max(day) from added
  where clicks <> 0 group by organization_id, generation, affiliate_id
  on conflict (organization_id, generation, affiliate_id) do update
    set clicks = known.clicks + excluded.clicks, last_day = greatest(known.last_day, excluded.last_day);
  return null;
end
$$;

create or replace function change_affiliate_clicks() returns trigger language plpgsql as $$
begin
  insert into affiliate_clicks as known (organization_id, generation, affiliate_id, clicks, last_day)
  select organization_id, generation, affiliate_id, sum(clicks)::bigint, max(day) filter (where clicks > 0)
  from (
    select organization_id, generation, affiliate_id, day, -clicks as clicks from former
    union all
    select organization_id, generation, affiliate_id, day, clicks from changed
  ) as difference
  group by organization_id, generation, affiliate_id having sum(clicks) <> 0
  on conflict (organization_id, generation, affiliate_id) do update
    set clicks = known.clicks + excluded.clicks, last_day = greatest(known.last_day, excluded.last_day);
  return null;
end
$$;
