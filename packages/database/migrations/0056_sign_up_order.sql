-- The dashboard's list of referrals, in the order of the sign-ups that it shows: of all, or of one status.
create index referrals_signed_up on referrals (organization_id, signup_date, id) where replaced_at is null;
create index referrals_status_signed_up on referrals (organization_id, subscription_status, signup_date, id)
  where replaced_at is null;
