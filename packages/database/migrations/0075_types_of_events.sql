-- compatible since 0072
-- outside of a transaction
-- The events of one type in the feed, which read all events between them.

create index concurrently if not exists events_by_type on events (organization_id, type, position, id);
