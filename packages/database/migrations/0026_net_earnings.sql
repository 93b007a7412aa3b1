-- The list of affiliates in the order of what they earned, net of refunds, disputes, corrections and voids.
drop index balances_earned;
create index balances_earned on balances (organization_id, currency, (earned_minor - lost_minor), affiliate_id)
  where earned_minor > lost_minor;
