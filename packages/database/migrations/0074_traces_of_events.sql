-- compatible since 0072
-- The span that caused an event, which its deliveries continue, as W3C's header `traceparent`; null: it is not recorded.

alter table events add column traceparent text;
