-- compatible since 0072
-- outside of a transaction

alter table affiliates validate constraint affiliates_tags;
