-- Sign-ups that pages report with a publishable key are events of a customer, so that a referral made by one
-- is worked out like any other, whatever is reported first.

alter table payment_events
  drop constraint payment_events_kind_check,
  add constraint payment_events_kind_check check (kind in
    ('checkout', 'customer', 'signup', 'subscription', 'payment', 'refund', 'dispute', 'refunded_total', 'link'));
