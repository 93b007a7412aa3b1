-- When a worker last said that it lives, and under which names it locks jobs: what was locked before that under another
-- name is held by nobody.
alter table workers add column renewed_at timestamptz not null default now();
