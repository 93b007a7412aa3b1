-- Domains whose pages may track, besides those of the campaigns' pages.

alter table organizations
  add column website_domains text[] not null default '{}' check (cardinality(website_domains) <= 20);
