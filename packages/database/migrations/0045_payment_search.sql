-- The dashboard's lists find a commission or a payment by the beginning of the payment's id, and their order, in the index alone.
drop index commissions_processor_payment_id;
create unique index commissions_processor_payment_id on commissions (organization_id, processor_payment_id) include (id)
  where processor_payment_id is not null and reversal_of is null;
drop index payment_decisions_payment;
create unique index payment_decisions_payment on payment_decisions (organization_id, processor, payment_id)
  include (paid_at, id);
