-- The audit log and the security events of members as one feed, in the order in which transactions become visible, as the
-- events feed: see event_clock.

create function feed_position() returns bigint
language sql volatile as $$
  select pg_current_xact_id()::text::bigint + xid_offset from event_clock
$$;

-- Entries from before come first, in the order of their ids.
alter table audit_log_entries add column position bigint not null default 0;
alter table audit_log_entries alter column position set default feed_position();

create index audit_log_entries_position on audit_log_entries (organization_id, position, id);

-- The security events of people while they were members, for the owners of the organization. They stay after the person left,
-- and end with the event. The organization has no foreign key: a sign-in would wait for changes that lock its row.
create table member_security_events (
  organization_id uuid not null,
  -- That of the security event.
  id uuid not null references security_events (id) on delete cascade,
  user_id uuid not null,
  -- Of the transaction that wrote the event, or that last counted a failure in it.
  position bigint not null default feed_position(),
  primary key (organization_id, id)
);

create index member_security_events_event on member_security_events (id);
create index member_security_events_user on member_security_events (organization_id, user_id, id);
create index member_security_events_position on member_security_events (organization_id, position, id);

insert into member_security_events (organization_id, id, user_id, position)
select member.organization_id, event.id, event.user_id, 0
from security_events event
join members member on member.user_id = event.user_id and member.created_at <= event.created_at;

-- `audit` reads the feed.
alter table api_keys
  drop constraint api_keys_scopes_check,
  add constraint api_keys_scopes_check check (scopes <@ array['read', 'write', 'view', 'admin', 'audit', 'track']);
