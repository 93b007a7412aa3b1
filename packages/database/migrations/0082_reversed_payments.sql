-- compatible since 0072
-- outside of a transaction
-- Affiliates with refunded or disputed payments, for the signal `many_refunds`.

create index concurrently if not exists payment_decisions_reversed on payment_decisions (organization_id, affiliate_id)
  where reversed_minor > 0 and replaced_at is null;
