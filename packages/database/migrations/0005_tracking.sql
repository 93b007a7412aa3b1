-- Clicks on affiliates' links, and their sub-ids: affiliates name the places of their links, as in `?via=jane&sub=newsletter`,
-- and see what each place brings.

-- Every click, in partitions of a month that are dropped when they are old. The id is a UUIDv7 of clicked_at, so the id
-- alone names the partition. No foreign key: the insert selects and locks the affiliate already, and a check would
-- add 60 % to its cost.
create table clicks (
  organization_id uuid not null,
  id uuid not null,
  affiliate_id uuid not null,
  -- The affiliate's code at that time.
  code text not null,
  -- A keyed hash of day, address and browser: it identifies nobody, and differs the next day.
  visitor_hash bytea not null,
  landing_url text,
  referrer text,
  clicked_at timestamptz not null,
  -- Null: the link had none.
  sub_id text,
  primary key (organization_id, id, clicked_at)
) partition by range (clicked_at);

-- A visitor's clicks on a link count once per hour. Unlogged: after a crash of Postgres it is empty, and visitors may
-- count twice in that hour. The hour comes first, so that old rows are one range of the index. Each click looks itself
-- up here, so the key is short: a hash of affiliate, code and visitor halves the cost of the insert. Among ten million
-- visitors of an hour, two share a hash with a probability of one in two million, and count as one. No foreign key, as
-- in clicks.
create unlogged table counted_clicks (
  hour timestamptz not null,
  link_visitor bigint not null,
  organization_id uuid not null,
  affiliate_id uuid not null,
  primary key (hour, link_visitor)
);

-- The counted clicks of a day (UTC) by sub-id. `clicks` has no index of affiliates, since each click would pay for it; here, only
-- clicks with a sub-id write, while their statement holds the lock of the affiliate. The day comes first, so that old rows are
-- one range of the index. No foreign key, as in clicks.
create table sub_id_clicks (
  day date not null,
  organization_id uuid not null,
  affiliate_id uuid not null,
  sub_id text not null,
  clicks bigint not null,
  primary key (day, organization_id, affiliate_id, sub_id)
);
