-- Mails to affiliates and owners, written in the transaction of the change that they report, and sent by the workers.

create table mails (
  organization_id uuid not null references organizations (id),
  id uuid not null default gen_random_uuid(),
  kind text not null check (kind in ('affiliate_approved', 'new_paid_referral', 'payout_paid', 'payouts_failed')),
  -- The id of the affiliate, the referral or the payout; of payouts that failed together, the time of their transaction.
  about text not null,
  -- An owner's address; empty: the affiliate's address when the mail is sent.
  recipient text not null default '',
  affiliate_id uuid,
  -- Of payouts that failed together: their number, and the first few.
  payout_count integer,
  payout_ids uuid[],
  state text not null default 'due' check (state in ('due', 'sent', 'dropped', 'given_up')),
  -- Attempts that the mail server refused, or that failed because of the mail itself.
  attempts integer not null default 0,
  -- When a worker may claim it; while it is claimed, when another worker may.
  next_attempt_at timestamptz default now(),
  -- The latest claim. It has an id of its own, so that a worker that lost the answer repeats its claim without counting
  -- an attempt.
  claim_id uuid,
  -- Why the last attempt failed, or why the mail was dropped.
  reason text,
  created_at timestamptz not null default now(),
  settled_at timestamptz,
  primary key (organization_id, id),
  foreign key (organization_id, affiliate_id) references affiliates (organization_id, id),
  check ((recipient = '') = (affiliate_id is not null)),
  check ((kind = 'payouts_failed') = (affiliate_id is null)),
  check ((kind = 'payouts_failed') = (payout_count is not null)),
  check ((kind = 'payouts_failed') = (payout_ids is not null)),
  check ((state = 'due') = (next_attempt_at is not null)),
  check ((state = 'due') = (settled_at is null))
);

-- Each recipient gets one mail about a thing.
create unique index mails_about on mails (organization_id, kind, about, recipient);
create index mails_due on mails (next_attempt_at) where next_attempt_at is not null;
create index mails_settled on mails (settled_at) where settled_at is not null;
create index mails_claim on mails (claim_id) where state = 'due';
