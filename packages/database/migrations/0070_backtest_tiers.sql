-- compatible since 0069
-- The tiers that affiliates would have had by the draft of a backtest. A draft without tiers has none.
create table backtest_tiers (
  organization_id uuid not null,
  backtest_id uuid not null,
  affiliate_id uuid not null,
  since timestamptz not null,
  -- Of the draft; null: none from then on.
  tier_id uuid,
  primary key (organization_id, backtest_id, affiliate_id, since),
  foreign key (organization_id, backtest_id) references backtests (organization_id, id) on delete cascade
);
