-- The portal's list of an affiliate's void commissions.
create index commissions_affiliate_voided on commissions (organization_id, affiliate_id, id) where voided;
