-- A visitor counts once for each link and hour. The key is short, since each click is looked up in it: a hash of affiliate,
-- code and visitor in place of the three halves what the insert costs. Two visitors of one hour that have the same hash
-- count as one: among ten million, one in two million times. Made anew, and still unlogged: a visitor may count once more
-- in the hour of the upgrade.
drop table counted_clicks;

create unlogged table counted_clicks (
  hour timestamptz not null,
  link_visitor bigint not null,
  organization_id uuid not null,
  affiliate_id uuid not null,
  primary key (hour, link_visitor)
);
