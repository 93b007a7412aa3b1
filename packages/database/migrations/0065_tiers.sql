-- Tiers of affiliates: steps that they reach by customers, revenue or commissions.

alter table campaigns
  -- `{measure, period, steps: [{id, name, from, bonus}]}`, in rising order: `from` and `bonus` in minor units of the organization's
  -- currency, or `from` in customers. What a step gives is a rule of `rule_set_id` with the step's id. Null: no tiers.
  add column tiers jsonb check (jsonb_typeof(tiers) = 'object'),
  -- Whether affiliates see how they compare with others of the campaign, and which names they see.
  add column leaderboard text not null default 'none' check (leaderboard in ('none', 'initials', 'names'));

-- The work of a campaign's tiers. Without tiers, it has no `due_at`.
create table tier_evaluations (
  organization_id uuid not null references organizations (id),
  campaign_id uuid not null,
  -- The last day in the organization's time zone by which all affiliates were measured; null: none yet.
  measured_on date,
  -- The tiers changed since: the day is measured again.
  is_changed boolean not null default true,
  -- Counts the changes of the tiers, so that no measurement of former ones is completed.
  version integer not null default 1,
  -- A number that was reached before that day, before anything was offered for it, gives no bonus.
  bonuses_from date not null,
  due_at timestamptz,
  failures integer not null default 0,
  -- Why the last attempt failed.
  reason text,
  primary key (organization_id, campaign_id),
  foreign key (organization_id, campaign_id) references campaigns (organization_id, id)
);

create index tier_evaluations_due on tier_evaluations (organization_id, due_at) where due_at is not null;

-- Changes of affiliates' tiers. Each one counts until the next one.
create table affiliate_tiers (
  organization_id uuid not null,
  affiliate_id uuid not null,
  since timestamptz not null,
  campaign_id uuid not null,
  -- A step of the campaign, as it was called then; null: no tier.
  tier_id uuid,
  tier_name text,
  -- What was measured, until the end of the day: customers, or minor units of the organization's currency.
  measure text not null check (measure in ('customers', 'revenue', 'commissions')),
  number bigint not null,
  measured_on date not null,
  primary key (organization_id, affiliate_id, since),
  foreign key (organization_id, affiliate_id) references affiliates (organization_id, id),
  foreign key (organization_id, campaign_id) references campaigns (organization_id, id),
  check ((tier_id is null) = (tier_name is null))
);

create trigger affiliate_tiers_never_change before update or delete on affiliate_tiers
  for each row execute function never_changes();

-- The adjustments for reaching a step: at most one of an affiliate in a period.
create table tier_bonuses (
  organization_id uuid not null,
  affiliate_id uuid not null,
  tier_id uuid not null,
  -- The first day of the month; otherwise `-infinity`, as such a bonus is paid once.
  period_start date not null,
  adjustment_id uuid not null,
  primary key (organization_id, affiliate_id, tier_id, period_start),
  foreign key (organization_id, adjustment_id) references adjustments (organization_id, id)
);
