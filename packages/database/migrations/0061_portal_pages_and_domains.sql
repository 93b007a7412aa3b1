alter table organizations
  -- Pages of the organization that the portal links to on each of its pages.
  add column imprint_url text check (imprint_url like 'https://%'),
  add column privacy_url text check (privacy_url like 'https://%');

alter table organizations
  -- When the service last answered at the portal's verified host name, by its own checks; null: never, or another name was checked.
  add column portal_host_answered_at timestamptz,
  -- Since when it has not answered there, after it did; null: it answers, or never did.
  add column portal_host_unreachable_since timestamptz,
  -- The same of the host name of links.
  add column link_host_answered_at timestamptz,
  add column link_host_unreachable_since timestamptz;

update organizations set link_host_answered_at = link_host_checked_at where link_url is not null;
