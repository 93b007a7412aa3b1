-- Affiliates change their own settings in the portal: they confirm a new payout email, and they can leave a program.

-- An affiliate who left is banned: nothing is attributed to it. The API shows `banned` alone; people see "left". Ending the
-- ban ends it.
alter table affiliates
  add column left_at timestamptz,
  add constraint affiliates_left check (left_at is null or banned);

create function end_left() returns trigger language plpgsql as $$
begin
  new.left_at := null;
  return new;
end
$$;

-- Clients of the API end a ban without the column above.
create trigger left_ended before update on affiliates
  for each row when (new.left_at is not null and not new.banned)
  execute function end_left();

create index affiliates_left on affiliates (organization_id, id) where left_at is not null;

-- Requests for another payout email. Each takes effect when its code is entered, which is computed from the row's id and
-- SECRETS_KEY; no table has it.
create table payout_email_changes (
  organization_id uuid not null,
  id uuid not null,
  affiliate_id uuid not null,
  -- The session that asked for the code: only there the code is accepted. No foreign key: sessions are deleted.
  session_id uuid not null,
  -- The new address, as it was typed, and the one that it replaces; null: there was none.
  email text not null,
  former_email text,
  -- Wrong codes.
  failures integer not null default 0,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  -- The code was accepted.
  used_at timestamptz,
  primary key (organization_id, id),
  foreign key (organization_id, affiliate_id) references affiliates (organization_id, id)
);

create index payout_email_changes_affiliate on payout_email_changes (organization_id, affiliate_id, id);
-- Mails to one address are limited.
create index payout_email_changes_email on payout_email_changes (lower(email), created_at);
create index payout_email_changes_expired on payout_email_changes (expires_at);

-- The mail with the code, and those to the former addresses after the change. `about` is the id of the change.
alter table mails
  drop constraint mails_kind_check,
  add constraint mails_kind_check check
    (kind in ('affiliate_approved', 'affiliate_declined', 'new_paid_referral', 'payout_paid', 'payouts_failed',
      'endpoint_disabled', 'invitation', 'password_reset', 'email_confirmation', 'portal_code', 'claim_decided',
      'payout_email_code', 'payout_email_changed'));
