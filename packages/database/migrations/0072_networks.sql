-- compatible since 0071
-- Networks, for the signal of fraud `shared_network`: whether a visitor and the affiliate used one network on the same day (UTC).

-- A keyed hash of organization, day and network. Null: no campaign asked for it at that time.
alter table clicks add column network_hash bytea;

-- The networks from which affiliates used the portal, as the same hashes. They are deleted as old clicks are. The day comes
-- first, so that old rows are one range of the key. No foreign key, as in clicks.
create table affiliate_networks (
  day date not null,
  organization_id uuid not null,
  affiliate_id uuid not null,
  network_hash bytea not null,
  primary key (day, organization_id, affiliate_id, network_hash)
);
