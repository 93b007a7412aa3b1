-- Host names of organizations for the links of their affiliates, as https://go.acme.com/jane. They are proven like those of portals.

alter table organizations
  -- The host name that the organization wants for links, in its ASCII form. Several may want the same one.
  add column link_host_wanted text
    constraint organizations_link_host_ascii
    check (link_host_wanted ~ '^[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)+$'),
  -- Since when its TXT record has been known to name the organization; null: it is not served.
  add column link_host_proven_at timestamptz,
  -- The last look at the record; null: none yet.
  add column link_host_checked_at timestamptz,
  -- Why the last look found no proof; null: it found it, or there was none.
  add column link_host_failure text check (link_host_failure in ('missing', 'different', 'unanswered')),
  -- Since when a name that was proven has had no record. With a null proof: it is no longer served for this reason.
  add column link_host_failing_since timestamptz,
  -- When a request last named the host, to the hour; null: never.
  add column link_host_seen_at timestamptz,
  -- The address at which the service itself answered the last check. Links of affiliates begin with it. Null: links lead to the website.
  add column link_url text,
  -- Whether a link sets the cookie of its click at once. Otherwise the script of the page does, which may ask for consent first.
  add column link_cookies boolean not null default false,
  -- The host name that is served.
  add column link_host text
    generated always as (case when link_host_proven_at is not null then link_host_wanted end) stored,
  add constraint organizations_link_host_proven check (link_host_proven_at is null or link_host_wanted is not null),
  add constraint organizations_link_url check (link_url is null or link_host_proven_at is not null),
  add constraint organizations_link_host_checked check (
    link_host_wanted is not null
    or (link_host_checked_at is null and link_host_failure is null and link_host_failing_since is null)),
  -- The portal has sessions at its host name.
  add constraint organizations_own_hosts check (link_host_wanted <> portal_host_wanted);

create unique index organizations_link_host on organizations (link_host) where link_host is not null;
create index organizations_link_host_checks on organizations (link_host_checked_at nulls first) where link_host is not null;

-- The same as before, with the host names of links. One organization alone is served at a name, for whichever use: the lock makes
-- two that prove it for different uses wait for each other, as the unique indexes do for the same one.
create or replace function keep_released_names() returns trigger language plpgsql as $$
declare
  served text;
begin
  for served in
    select name from unnest(array[new.portal_host, new.link_host]) as name where name is not null order by name
  loop
    perform pg_advisory_xact_lock(hashtextextended('host ' || served, 0));
    if exists (select from organizations where id <> new.id and (portal_host = served or link_host = served)) then
      raise exception 'another organization is served at this host name'
        using errcode = 'unique_violation', constraint = 'organizations_served_host';
    end if;
  end loop;
  if tg_op = 'UPDATE' and old.test_of is null then
    insert into released_names (kind, name, organization_id, released_at)
    select given_up.kind, given_up.name, old.id, now()
    from (values
      ('slug', old.slug, array[new.slug]),
      ('host', old.portal_host, array[new.portal_host, new.link_host]),
      ('host', old.link_host, array[new.portal_host, new.link_host])) as given_up (kind, name, now_used)
    where given_up.name is not null and given_up.name = any (given_up.now_used) is not true
    on conflict (kind, name) do update
      set organization_id = excluded.organization_id, released_at = excluded.released_at;
  end if;
  if exists (
    select from released_names
    where (kind, name) in (('slug', new.slug), ('host', new.portal_host), ('host', new.link_host))
      and organization_id <> new.id and released_at > now() - interval '90 days'
  ) then
    raise exception 'another organization released this name a short time ago'
      using errcode = 'unique_violation', constraint = 'released_names';
  end if;
  delete from released_names
  where (kind, name) in (('slug', new.slug), ('host', new.portal_host), ('host', new.link_host));
  return null;
end
$$;

drop trigger keep_released_names on organizations;
create trigger keep_released_names after update on organizations
  for each row when (
    old.slug is distinct from new.slug or old.portal_host is distinct from new.portal_host
    or old.link_host is distinct from new.link_host)
  execute function keep_released_names();
