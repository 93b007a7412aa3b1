-- Payment intents and charges: payments of their own where no checkout and no invoice reports the same payment.

alter table payment_events drop constraint payment_events_kind_check;
alter table payment_events add constraint payment_events_kind_check check (kind in
  ('checkout', 'customer', 'subscription', 'payment', 'refund', 'dispute', 'refunded_total', 'link', 'signup',
   'amounts', 'products', 'charge'));

-- Since when the payment counts as part of another one: a charge that turned out to be an invoice's. Such a decision is
-- kept for its commission, which is void, and is not shown. Null: the decision counts.
alter table payment_decisions add column replaced_at timestamptz;
