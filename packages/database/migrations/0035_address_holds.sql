-- Holds that end by themselves: payouts wait for some days after an affiliate has changed the address that they go to.

alter table payout_holds
  -- Null: only a person ends it. Holds of bans and of staff have none.
  add column ends_at timestamptz,
  add constraint payout_holds_end check (ends_at is null or not of_ban);

-- The holds in force.
create view current_payout_holds as
  select organization_id, affiliate_id, reason, held_by, held_at, of_ban, ends_at from payout_holds
  where ends_at is null or ends_at > now();
