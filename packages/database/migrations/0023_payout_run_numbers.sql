-- Several payout runs of a month, for all affiliates or chosen ones, and the amounts that a person confirmed.

alter table payout_runs
  -- 1: the month's run of all affiliates, also that of the payout day. Further runs are numbered from 2.
  add column number integer not null default 1 check (number > 0),
  -- The only affiliates that it pays; null: all.
  add column affiliate_ids uuid[] check (cardinality(affiliate_ids) > 0),
  -- By currency, `payouts` and `amount_minor`: it creates no more than that. Null: nobody confirmed it.
  add column confirmed jsonb,
  add constraint payout_runs_chosen check (affiliate_ids is null or number > 1);

-- A run that is started twice is the same run.
drop index payout_runs_period;
create unique index payout_runs_period on payout_runs (organization_id, period, number);

-- The affiliates that the run pays: in several currencies, one has several payouts.
alter table payout_previews add column affiliates integer not null default 0;
