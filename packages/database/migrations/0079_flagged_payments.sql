-- compatible since 0072
-- outside of a transaction
-- Payments with signals of fraud that earned: the list of flagged affiliates has those that wait for no review, too.

create index concurrently if not exists payment_decisions_signals on payment_decisions (organization_id, commission_id)
  where json_typeof(explanation -> 'signals') = 'array' and commission_id is not null and replaced_at is null;
