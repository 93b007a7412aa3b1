-- compatible since 0072
-- outside of a transaction
-- Customers for whom a person has stopped commissions, credited a payment or moved one: few, and some of them have thousands of facts.

create index concurrently if not exists payment_facts_overrides on payment_facts (organization_id, customer_id)
  where kind = 'override';
