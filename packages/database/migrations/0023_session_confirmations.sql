-- When the person last typed the password in a session; null: at its sign-in. Sensitive changes require a recent one.
alter table user_sessions add column confirmed_at timestamptz;
