-- How an organization's portal looks, where it is opened, and which pages may show it in a frame.

alter table organizations
  -- As the organization chose it; the portal derives readable colors from it. Null: the service's own.
  add column brand_color text check (brand_color ~ '^#[0-9a-f]{6}$'),
  add constraint organizations_terms_url_check check (terms_url like 'https://%'),
  -- The host name of its own portal, without a port. Null: none.
  add column portal_host text check (portal_host = lower(portal_host)),
  -- The origins of pages that may show the portal in a frame.
  add column frame_origins text[] not null default '{}' check (cardinality(frame_origins) <= 10);

-- Requests name the host.
create unique index organizations_portal_host on organizations (portal_host) where portal_host is not null;

-- The logo of each organization that has one, rewritten without metadata.
create table portal_logos (
  organization_id uuid primary key references organizations (id),
  -- SHA-256 of the content, in hexadecimal digits. It is part of the address, so that browsers may keep the logo.
  hash text not null check (hash ~ '^[0-9a-f]{64}$'),
  type text not null check (type in ('image/png', 'image/jpeg', 'image/webp')),
  width integer not null check (width between 1 and 1024),
  height integer not null check (height between 1 and 1024),
  content bytea not null check (octet_length(content) between 1 and 131072)
);
