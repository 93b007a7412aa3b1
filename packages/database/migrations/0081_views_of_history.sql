-- compatible since 0072
-- The history and the next payout run have views, too. No row of before breaks the check.

alter table saved_views
  drop constraint saved_views_list_check,
  add constraint saved_views_list_check check
    (list in ('affiliates', 'referrals', 'commissions', 'payments', 'claims', 'payouts', 'next_run', 'events', 'deliveries', 'history'));
