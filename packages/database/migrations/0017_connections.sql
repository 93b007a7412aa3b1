-- Connections show how they fare; inbound webhooks are listed by processor.

alter table processors
  -- When somebody asked for a reconciliation; null once it has ended.
  add column reconcile_requested_at timestamptz(3),
  -- The missed events that the last reconciliation imported; null: there was none.
  add column reconciled_events integer,
  -- Why the last reconciliation failed; null: it did not.
  add column reconcile_error text,
  -- The last message that was refused, for example because of its signature. Written at most every ten seconds.
  add column refused_at timestamptz,
  add column refused_reason text,
  add constraint processors_refused check ((refused_at is null) = (refused_reason is null));

-- The log by processor, and its retention. The last message of a connection is its first row.
drop index processor_messages_received;
create index processor_messages_received on processor_messages (organization_id, processor, received_at, id);
drop index processor_messages_parked;
create index processor_messages_parked on processor_messages (organization_id, processor, received_at, id)
  where state = 'parked';
-- Those of no use are rare, and most are stored as such: others write nothing here.
create index processor_messages_skipped on processor_messages (organization_id, processor, received_at, id)
  where state = 'skipped';
