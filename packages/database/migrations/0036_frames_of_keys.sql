-- Portal tokens and the sessions of frames end with the API key that made them.

alter table portal_tokens
  -- Null: a member views the portal.
  add column key_id uuid,
  add constraint portal_tokens_key foreign key (organization_id, key_id) references api_keys (organization_id, id);

alter table portal_sessions
  -- Of the token of a frame; null: it is no frame.
  add column key_id uuid,
  add constraint portal_sessions_of_key foreign key (limited_to, key_id) references api_keys (organization_id, id),
  add constraint portal_sessions_frame check (key_id is null or (affiliate_id is not null and user_session_id is null));

create index portal_sessions_key on portal_sessions (limited_to, key_id) where key_id is not null;
