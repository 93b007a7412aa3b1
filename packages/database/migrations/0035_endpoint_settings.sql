-- What an endpoint's owner sets beside its URL and event types.

alter table endpoints
  -- Null: no limit.
  add column requests_per_second integer check (requests_per_second between 1 and 1000),
  -- One delivery at a time, oldest event first.
  add column ordered boolean not null default false,
  -- Null: events of all campaigns, and those that concern none.
  add column campaign_ids uuid[] check (cardinality(campaign_ids) > 0),
  -- [{"name", "updated_at"}]
  add column custom_headers jsonb not null default '[]',
  -- Their values by name as JSON, AES-256-GCM under SECRETS_KEY.
  add column custom_headers_encrypted bytea,
  add constraint endpoints_custom_headers check
    ((custom_headers_encrypted is null) = (jsonb_array_length(custom_headers) = 0));
