-- compatible since 0072
-- The request that brought a message or started a payout run, which its work continues, as W3C's header `traceparent`; null: it is not
-- recorded.

alter table processor_messages add column traceparent text;
alter table payout_runs add column traceparent text;
