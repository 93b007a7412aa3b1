-- Attempts of a mail count what the mail server or the mail itself failed at. A claim has a name of its own, so that a
-- claim whose answer was lost is taken again, and costs no attempt.
alter table mails
  -- The worker's last claim.
  add column claim_id uuid;

create index mails_claim on mails (claim_id) where state = 'due';
