-- Stripe Connect: events of connected accounts reach the platform's endpoint, too. They count for the accounts that
-- the connection names; all others are skipped.

alter table processors add column connected_accounts text[] not null default '{}'
  check (name = 'stripe' or connected_accounts = '{}');

-- The connected account that an event belongs to; null: the organization's own. Fetching one of its objects needs it.
alter table processor_messages add column account text;

-- json, not jsonb, which refuses what JSON may escape.
update processor_messages set account = left(body::json ->> 'account', 255)
where processor = 'stripe' and body like '%"acct_%' and body::json ->> 'account' like 'acct\_%';
