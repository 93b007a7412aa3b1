-- compatible since 0072
-- outside of a transaction
-- An affiliate's leads in the order of their list.

create index concurrently if not exists leads_of_affiliates on leads (organization_id, affiliate_id, id);
