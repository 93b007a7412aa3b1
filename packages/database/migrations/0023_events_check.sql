-- Which event types the webhook endpoint at Stripe lacks, as far as the API key may read it.

alter table processors
  add column events_checked_at timestamptz,
  -- Null: never found out. Empty: it has all.
  add column missing_events text[],
  -- Why the last check found nothing out.
  add column events_check_error text;
