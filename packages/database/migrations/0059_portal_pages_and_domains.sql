alter table organizations
  -- Pages of the organization that the portal links to on each of its pages.
  add column imprint_url text check (imprint_url like 'https://%'),
  add column privacy_url text check (privacy_url like 'https://%');
