-- Signals of fraud: what a campaign does about payments that have them.

alter table campaigns
  -- By signal: flag, hold or refuse, and the hosts that the campaign lists. Null: all signals are off.
  add column signals jsonb check (jsonb_typeof(signals) = 'object'),
  drop constraint campaigns_review_check,
  add constraint campaigns_review_check check (review in ('none', 'all', 'first', 'flagged'));

-- Who is paid at an email.
create index affiliates_payout_email on affiliates (organization_id, lower(payout_email)) where payout_email is not null;
