-- The payment that a decision was made for before another payment took it over: a charge's, taken over by an invoice. The
-- decision returns there when the two turn out to be apart and its commission still names that payment. Null: it was
-- not taken over.
alter table payment_decisions add column taken_over_from text;
