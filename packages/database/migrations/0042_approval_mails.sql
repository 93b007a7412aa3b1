-- Mails to those who can approve a payout run that waits. `about` is the id of the run.

alter table mails
  drop constraint mails_kind_check,
  add constraint mails_kind_check check
    (kind in ('affiliate_approved', 'affiliate_declined', 'affiliate_left', 'new_paid_referral', 'payout_paid', 'payouts_failed',
      'endpoint_disabled', 'invitation', 'password_reset', 'email_confirmation', 'portal_code', 'claim_decided',
      'payout_email_code', 'payout_email_changed', 'device_link', 'security_notice', 'payout_run_waiting'));
