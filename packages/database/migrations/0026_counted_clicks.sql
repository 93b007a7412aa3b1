-- A visitor's clicks on a link count once in each hour. Unlogged: after a crash of Postgres it is empty, and a visitor
-- may count once more in that hour. The hour comes first, so that old rows are one range of the index.
create unlogged table counted_clicks (
  hour timestamptz not null,
  organization_id uuid not null,
  affiliate_id uuid not null,
  visitor_hash bytea not null,
  primary key (hour, organization_id, affiliate_id, visitor_hash)
);
