-- Clicks on affiliates' links.

-- Raw clicks, in a partition per month, dropped whole when it is old. The id is a UUIDv7 of clicked_at, so
-- whoever knows a click's id knows its partition, too. No foreign key to the affiliate: its check would lock
-- that row for every click, and the rows are made by a select from affiliates that may be referred by.
create table clicks (
  organization_id uuid not null,
  id uuid not null,
  affiliate_id uuid not null,
  -- As the affiliate had it then.
  code text not null,
  -- Of the day, the address and the browser, under a key: who came is not stored, and the next day not known.
  visitor_hash bytea not null,
  landing_url text,
  referrer text,
  clicked_at timestamptz not null,
  primary key (organization_id, id, clicked_at)
) partition by range (clicked_at);

-- Clicks are counted in the affiliate's row. Room on its page keeps the row's next version there, so that no
-- index needs to know of it; and what is dead goes before a much clicked link's row has to be searched for.
alter table affiliates set (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02);
