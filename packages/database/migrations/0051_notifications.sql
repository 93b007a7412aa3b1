-- How members hear of what waits: at once, by a daily digest, or not at all.

-- What a member chose. Without a row, the default of the member's role applies (`packages/contract/src/mails`).
create table notification_settings (
  organization_id uuid not null,
  user_id uuid not null,
  topic text not null check
    (topic in ('applications', 'claims', 'connections', 'endpoints', 'payouts', 'payout_runs')),
  frequency text not null check (frequency in ('at_once', 'daily', 'never')),
  primary key (organization_id, user_id, topic),
  foreign key (organization_id, user_id) references members (organization_id, user_id) on delete cascade
);

-- The last day, in the organization's time zone, of which its digests were written.
create table digest_days (
  organization_id uuid primary key references organizations (id),
  day date not null
);

alter table mails
  -- Of a notice or a digest that was sent: what it reported, by topic and id. The next one is only sent if there is more.
  add column reported text[],
  drop constraint mails_kind_check,
  add constraint mails_kind_check check
    (kind in ('affiliate_approved', 'affiliate_declined', 'affiliate_left', 'new_paid_referral', 'payout_paid', 'payouts_failed',
      'endpoint_disabled', 'invitation', 'password_reset', 'email_confirmation', 'portal_code', 'claim_decided',
      'payout_email_code', 'payout_email_changed', 'device_link', 'security_notice', 'payout_run_waiting', 'promo_code_ready',
      'applications_waiting', 'claims_waiting', 'connections_failed', 'daily_digest')),
  add constraint mails_reported check (reported is null or state = 'sent');

create index mails_reported on mails (organization_id, kind, recipient, finished_at) where reported is not null;
