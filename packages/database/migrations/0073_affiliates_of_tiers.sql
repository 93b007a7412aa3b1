-- compatible since 0072
-- outside of a transaction
-- The affiliates of a tier: those of whom the last change has it.

create index concurrently if not exists affiliate_tiers_by_tier on affiliate_tiers (organization_id, tier_id, affiliate_id, since);
