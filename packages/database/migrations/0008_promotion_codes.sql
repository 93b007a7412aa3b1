-- Whose promotion codes of processors are, and referrals that turned out to be nobody's.

-- Every promotion code that was ever an affiliate's, also those that another one took the place of: who used it
-- before may be told of later.
create table promotion_codes (
  organization_id uuid not null,
  -- The processor's.
  external_id text not null,
  affiliate_id uuid not null,
  -- Since when the affiliate has a promo code.
  created_at timestamptz not null,
  primary key (organization_id, external_id),
  foreign key (organization_id, affiliate_id) references affiliates (organization_id, id)
);

insert into promotion_codes (organization_id, external_id, affiliate_id, created_at)
select organization_id, external_id, affiliate_id, created_at from affiliate_codes
where external_id is not null
order by external_linked, id
on conflict do nothing;

-- Who used a promotion code before it was told whose it is.
create index payment_events_promotion_codes on payment_events
  using gin ((jsonb_path_query_array(data, '$.*[*].external_id')))
  where data @? '$.*[*].external_id ? (@ != null)';

-- What was told since shows that its customer is another referral's, or nobody's. It keeps its name, which is
-- another's to take.
alter table referrals add column superseded_at timestamptz;

drop index referrals_email;
drop index referrals_processor_customer_id;
create unique index referrals_email on referrals (organization_id, lower(email)) where superseded_at is null;
create unique index referrals_processor_customer_id on referrals (organization_id, processor_customer_id)
  where superseded_at is null;

-- The planner has none of an expression that only a partial index knows, and would read all referrals.
create statistics referrals_lower_email on lower(email) from referrals;
