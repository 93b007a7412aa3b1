-- Host names of portals are served once their organization has proven them, and names that an organization gave up stay closed
-- to others for a while.

alter table organizations
  -- The host name that the organization wants for its portal, in its ASCII form. Several may want the same one.
  add column portal_host_wanted text
    constraint organizations_portal_host_ascii
    check (portal_host_wanted ~ '^[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)+$'),
  -- Since when its TXT record has been known to name the organization; null: it is not served.
  add column portal_host_proven_at timestamptz,
  -- The last look at the record; null: none yet.
  add column portal_host_checked_at timestamptz,
  -- Why the last look found no proof; null: it found it, or there was none.
  add column portal_host_failure text check (portal_host_failure in ('missing', 'different', 'unanswered')),
  -- Since when a name that was proven has had no record. With a null proof: it is no longer served for this reason.
  add column portal_host_failing_since timestamptz,
  add constraint organizations_portal_host_proven check (portal_host_proven_at is null or portal_host_wanted is not null),
  add constraint organizations_portal_host_checked check (
    portal_host_wanted is not null
    or (portal_host_checked_at is null and portal_host_failure is null and portal_host_failing_since is null));

-- Names from before have no record yet: they are served for some days, as names are that lost theirs.
update organizations
set portal_host_wanted = portal_host, portal_host_proven_at = now(), portal_host_failure = 'missing',
  portal_host_failing_since = now()
where portal_host is not null;

alter table organizations
  drop column portal_host,
  -- The host name at which the portal is served.
  add column portal_host text
    generated always as (case when portal_host_proven_at is not null then portal_host_wanted end) stored;

-- Requests name the host, and one organization alone is served at it.
create unique index organizations_portal_host on organizations (portal_host) where portal_host is not null;
create index organizations_portal_host_checks on organizations (portal_host_checked_at nulls first)
  where portal_host is not null;

-- Names that organizations gave up: slugs, and host names at which their portal was served. Nobody else gets one for 90 days; after
-- that, whoever takes it deletes the row. The operator may delete it before.
create table released_names (
  kind text not null check (kind in ('host', 'slug')),
  name text not null,
  organization_id uuid not null references organizations (id),
  released_at timestamptz not null,
  primary key (kind, name)
);

-- After the row, so that it waits in the unique index for a concurrent release, and then sees it.
create function keep_released_names() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and old.test_of is null then
    insert into released_names (kind, name, organization_id, released_at)
    select given_up.kind, given_up.name, old.id, now()
    from (values ('slug', old.slug, new.slug), ('host', old.portal_host, new.portal_host)) as given_up (kind, name, now_used)
    where given_up.name is not null and given_up.name is distinct from given_up.now_used
    on conflict (kind, name) do update
      set organization_id = excluded.organization_id, released_at = excluded.released_at;
  end if;
  if exists (
    select from released_names
    where (kind, name) in (('slug', new.slug), ('host', new.portal_host))
      and organization_id <> new.id and released_at > now() - interval '90 days'
  ) then
    raise exception 'another organization released this name a short time ago'
      using errcode = 'unique_violation', constraint = 'released_names';
  end if;
  delete from released_names where (kind, name) in (('slug', new.slug), ('host', new.portal_host));
  return null;
end
$$;

create trigger keep_released_names_of_new after insert on organizations
  for each row execute function keep_released_names();
create trigger keep_released_names after update on organizations
  for each row when (old.slug is distinct from new.slug or old.portal_host is distinct from new.portal_host)
  execute function keep_released_names();

-- The organization of a name in addresses: the one that has it, or else the one that had it last.
create function organization_named(wanted text) returns uuid language sql stable parallel safe as $$
  select coalesce(
    (select id from organizations where slug = wanted),
    (select organization_id from released_names where kind = 'slug' and name = wanted))
$$;
