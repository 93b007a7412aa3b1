-- The dashboard's list of referrals finds an email or customer id that begins with a text in the index alone.
drop index referrals_email;
create unique index referrals_email on referrals (organization_id, lower(email)) include (email, id)
  where replaced_at is null;
drop index referrals_processor_customer_id;
create unique index referrals_processor_customer_id on referrals (organization_id, processor_customer_id) include (id)
  where replaced_at is null;
