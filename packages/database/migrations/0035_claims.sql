-- Missing sales that affiliates report in the portal, and the organization's decision on each.

create table claims (
  organization_id uuid not null,
  id uuid not null,
  affiliate_id uuid not null,
  -- The customer's address, in lower case, the day of the payment by the affiliate, and the evidence. An erased affiliate's
  -- claims have none of them.
  email text not null check (email = lower(email)),
  paid_on date not null,
  note text not null,
  -- Whether a payment of that address around that day was known when the claim was made. It is not computed again, so
  -- that the list of claims tells nobody when an address starts to pay.
  payment_known boolean not null,
  state text not null default 'open' check (state in ('open', 'accepted', 'declined')),
  -- The words to the affiliate.
  answer text,
  -- As in the audit log.
  decided_by text,
  decided_at timestamptz,
  -- Of an accepted claim. No foreign keys, as in commissions.
  payment_decision_id uuid,
  commission_id uuid,
  created_at timestamptz not null,
  primary key (organization_id, id),
  foreign key (organization_id, affiliate_id) references affiliates (organization_id, id),
  check ((state = 'open') = (decided_at is null) and (state = 'open') = (decided_by is null)),
  check ((state = 'accepted') = (payment_decision_id is not null)),
  check ((state = 'accepted') = (commission_id is not null))
);

-- The same address and day is one claim. An erased claim has no address.
create unique index claims_once on claims (organization_id, affiliate_id, email, paid_on) where email <> '';
create index claims_affiliate on claims (organization_id, affiliate_id, id);
create index claims_state on claims (organization_id, state, id);
create index claims_email on claims (organization_id, email, id);
create index claims_created on claims (created_at);

-- The mail with a decision. `about` is the claim's id.
alter table mails
  drop constraint mails_kind_check,
  drop constraint mails_of_affiliates,
  add constraint mails_kind_check check
    (kind in ('affiliate_approved', 'affiliate_declined', 'new_paid_referral', 'payout_paid', 'payouts_failed',
      'endpoint_disabled', 'invitation', 'password_reset', 'email_confirmation', 'portal_code', 'claim_decided')),
  add constraint mails_of_affiliates check
    ((kind in ('affiliate_approved', 'affiliate_declined', 'new_paid_referral', 'payout_paid', 'claim_decided'))
      = (affiliate_id is not null));
