-- compatible since 0072
-- Histories that somebody accepted although processes knew a later state, as after a restore: `findersfee verify continuity --accept`.

create table accepted_histories (
  id uuid primary key,
  accepted_at timestamptz not null default now(),
  -- Of the cluster that was accepted. Null: the role may not read it. A restored dump has those of former clusters, too.
  system_identifier text,
  timeline integer not null,
  -- The position of the next event.
  position bigint not null,
  -- Who ran the command: the user of the machine.
  accepted_by text not null,
  -- Delivered events that do not exist, by the journal of that machine. Null: it has none.
  lost_events integer
);
