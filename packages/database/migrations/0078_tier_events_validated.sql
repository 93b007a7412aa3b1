-- compatible since 0072
-- outside of a transaction

alter table events validate constraint events_type_check;
