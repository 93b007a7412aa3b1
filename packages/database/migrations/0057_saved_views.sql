-- A member's named filters of the dashboard's lists. Those of test data belong to a member of its organization.
create table saved_views (
  organization_id uuid not null references organizations (id),
  id uuid not null,
  member_of uuid not null,
  user_id uuid not null,
  list text not null check
    (list in ('affiliates', 'referrals', 'commissions', 'payments', 'claims', 'payouts', 'events', 'deliveries')),
  name text not null check (char_length(name) between 1 and 60 and name = btrim(name)),
  -- The parameters of the list's address.
  search text not null check (char_length(search) between 1 and 1000),
  -- A list has at most as many views of a member as places.
  place smallint not null check (place between 1 and 20),
  primary key (organization_id, id),
  foreign key (member_of, user_id) references members (organization_id, user_id) on delete cascade,
  unique (organization_id, user_id, list, place)
);

create unique index saved_views_name on saved_views (organization_id, user_id, list, lower(name));
create index saved_views_member on saved_views (member_of, user_id);
