-- Mails to affiliates and owners, written in the transaction of what they tell of, and sent by the workers.

create table mails (
  organization_id uuid not null,
  id uuid not null default gen_random_uuid(),
  kind text not null check (kind in ('affiliate_approved', 'new_paid_referral', 'payout_paid', 'payouts_failed')),
  -- The id of the affiliate, the referral or the payout; of payouts that failed together, the moment of their
  -- transaction.
  about text not null,
  -- To whom: an owner's address; empty: the affiliate's, whatever it is when the mail leaves.
  recipient text not null default '',
  affiliate_id uuid,
  -- Of payouts that failed together: how many, and the first few.
  payout_count integer,
  payout_ids uuid[],
  state text not null default 'due' check (state in ('due', 'sent', 'dropped', 'given_up')),
  -- Counted when it is claimed: the number is the claim's name, too.
  attempts integer not null default 0,
  -- When a worker may take it; while one has it, when that one is thought to be dead.
  next_attempt_at timestamptz default now(),
  -- Why the last attempt failed, or why nobody was to be told any more.
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

-- Nobody is told anything twice.
create unique index mails_about on mails (organization_id, kind, about, recipient);
create index mails_due on mails (next_attempt_at) where next_attempt_at is not null;
create index mails_settled on mails (settled_at) where settled_at is not null;
