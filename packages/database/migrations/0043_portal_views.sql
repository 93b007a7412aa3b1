-- Staff see the portal as one of their affiliates sees it, and change nothing there. The token and the session belong to the session in
-- the dashboard, and end with it.

alter table portal_tokens
  -- The session of the member who views the portal; null: the token opens a frame in the organization's product.
  add column user_session_id uuid references user_sessions (id) on delete cascade;

create index portal_tokens_view on portal_tokens (user_session_id) where user_session_id is not null;

alter table portal_sessions
  -- The session of the member who views the portal; null: it is the affiliate's, or that of a frame.
  add column user_session_id uuid references user_sessions (id) on delete cascade,
  add constraint portal_sessions_view check (user_session_id is null or affiliate_id is not null);

create index portal_sessions_view on portal_sessions (user_session_id) where user_session_id is not null;
