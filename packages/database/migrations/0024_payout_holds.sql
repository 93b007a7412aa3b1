-- Affiliates whom no payout run pays until a person releases them: their commissions stay due. Deleted by their release and by the
-- erasure of the affiliate.
create table payout_holds (
  organization_id uuid not null,
  affiliate_id uuid not null,
  -- For staff.
  reason text not null check (reason <> ''),
  held_by text not null,
  held_at timestamptz not null,
  primary key (organization_id, affiliate_id),
  foreign key (organization_id, affiliate_id) references affiliates (organization_id, id)
);
