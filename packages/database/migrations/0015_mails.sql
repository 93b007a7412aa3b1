-- Mails to affiliates and owners, written in the transaction of the change that they report, and sent by the workers.

create table mails (
  organization_id uuid not null references organizations (id),
  id uuid not null default gen_random_uuid(),
  kind text not null check
    (kind in ('affiliate_approved', 'affiliate_declined', 'affiliate_left', 'new_paid_referral', 'payout_paid', 'payouts_failed',
      'endpoint_disabled', 'invitation', 'password_reset', 'email_confirmation', 'portal_code', 'claim_decided',
      'payout_email_code', 'payout_email_changed')),
  -- The id of the affiliate, the referral or the payout; of payouts that failed together, the time of their transaction;
  -- of a disabled endpoint, its id and the time; of an affiliate who was declined or left, the same; of a link or a code,
  -- the id of its invitation, verification, portal code or payout email change; of a decided claim, its id.
  about text not null,
  -- The address of an owner, a user or an invited person; empty: the affiliate's address when the mail is sent.
  recipient text not null default '',
  affiliate_id uuid,
  -- Of payouts that failed together: their number, and the first few.
  payout_count integer,
  payout_ids uuid[],
  state text not null default 'due' check (state in ('due', 'sent', 'dropped', 'given_up')),
  -- Attempts that the mail server refused, or that failed because of the mail itself.
  failures integer not null default 0,
  -- The next attempt; null: finished.
  due_at timestamptz default now(),
  -- Why the last attempt failed, or why the mail was dropped.
  reason text,
  created_at timestamptz not null default now(),
  finished_at timestamptz,
  primary key (organization_id, id),
  foreign key (organization_id, affiliate_id) references affiliates (organization_id, id),
  check ((recipient = '') = (affiliate_id is not null)),
  constraint mails_of_affiliates check
    ((kind in ('affiliate_approved', 'affiliate_declined', 'affiliate_left', 'new_paid_referral', 'payout_paid', 'claim_decided'))
      = (affiliate_id is not null)),
  -- Numbered as in databases from before the baseline.
  constraint mails_check2 check ((kind = 'payouts_failed') = (payout_count is not null)),
  constraint mails_check3 check ((kind = 'payouts_failed') = (payout_ids is not null)),
  constraint mails_check4 check ((state = 'due') = (due_at is not null)),
  constraint mails_check5 check ((state = 'due') = (finished_at is null))
);

-- Each recipient gets one mail about a thing.
create unique index mails_about on mails (organization_id, kind, about, recipient);
create index mails_due on mails (organization_id, due_at) where due_at is not null;
create index mails_given_up on mails (organization_id, id) where state = 'given_up';
create index mails_finished on mails (finished_at) where finished_at is not null;
