-- Organizations have the portal at host names of their own. They decide where such a name leads, so they could read the cookies
-- there: a session that is opened at a host name sees its organization alone, and is valid nowhere else.

alter table organizations
  -- When a request last named the host, to the hour; null: never.
  add column portal_host_seen_at timestamptz;

alter table portal_sessions
  -- The organization of which alone it sees the programs; null: it sees all programs of the address.
  add column limited_to uuid references organizations (id);

alter table portal_codes
  -- The same for the session that the code opens. Elsewhere, neither the code nor its link is accepted.
  add column limited_to uuid references organizations (id);
