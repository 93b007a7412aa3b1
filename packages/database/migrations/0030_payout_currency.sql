-- The list of all payouts in a currency, by status.
create index payouts_currency on payouts (organization_id, currency, status, id);
