-- The dashboard's list of commissions, in the order of the dates that it shows. Dates ascend almost as ids do, so that new rows are
-- written at the end of the index; nothing updates a date, so that updates of other columns do not write to it.
create index commissions_date on commissions (organization_id, referral_date, id);
