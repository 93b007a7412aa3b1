-- Mails that were dropped because the service cannot send them, and what each worker does with mails.

alter table mails
  -- What the service lacked; null: the mail was sent, or nobody wanted it any more.
  add column unsent_cause text,
  add constraint mails_unsent_cause check (unsent_cause in ('no_mail_server', 'no_public_url')),
  add constraint mails_unsent_dropped check (unsent_cause is null or state = 'dropped');

create index mails_unsent on mails (organization_id, finished_at) where unsent_cause is not null;

alter table workers
  -- sent: to a mail server. local: shown on one machine instead. Else what it lacks. Null: an earlier version, which does not say.
  add column mail_delivery text,
  add constraint workers_mail_delivery check
    (mail_delivery in ('sent', 'local', 'no_mail_server', 'no_public_url'));
