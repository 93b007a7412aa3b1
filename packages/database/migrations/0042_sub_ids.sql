-- Sub-ids: affiliates name the places of their links, as in `?via=jane&sub=newsletter`, and see what each place brings.

-- Null: the link had none.
alter table clicks add column sub_id text;

-- Of the click that the referral is attributed to.
alter table referrals add column sub_id text;

-- An affiliate's referrals with a sub-id, of which there are few.
create index referrals_sub_id on referrals (organization_id, affiliate_id, id)
  include (sub_id, signup_date, converted_at) where sub_id is not null and replaced_at is null;

-- The counted clicks of a day (UTC) by sub-id. `clicks` has no index of affiliates, since each click would pay for it; here, only
-- clicks with a sub-id write, while their statement holds the lock of the affiliate. The day comes first, so that old rows are
-- one range of the index. No foreign key, as in clicks.
create table sub_id_clicks (
  day date not null,
  organization_id uuid not null,
  affiliate_id uuid not null,
  sub_id text not null,
  clicks bigint not null,
  primary key (day, organization_id, affiliate_id, sub_id)
);
