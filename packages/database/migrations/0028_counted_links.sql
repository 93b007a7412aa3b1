-- A visitor counts once for each link and hour, so the link's code belongs to the key: an affiliate whose code changes has
-- several links. Made anew, and still unlogged: a visitor may count once more in the hour of the upgrade.
drop table counted_clicks;

create unlogged table counted_clicks (
  hour timestamptz not null,
  organization_id uuid not null,
  affiliate_id uuid not null,
  code text not null,
  visitor_hash bytea not null,
  primary key (hour, organization_id, affiliate_id, code, visitor_hash)
);
