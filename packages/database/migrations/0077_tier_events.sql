-- compatible since 0072
-- The event of a changed tier. A process of an older version cannot show it in the events feed, and delivers it as any other.

alter table events
  drop constraint events_type_check,
  add constraint events_type_check check (type in ('affiliate.created', 'affiliate.approved', 'affiliate.tier_changed',
    'referral.created', 'referral.converted', 'commission.created')) not valid;
