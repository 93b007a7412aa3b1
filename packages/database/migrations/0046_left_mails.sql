-- The mail to an affiliate who left a program. `about` is the affiliate's id and the time.

alter table mails
  drop constraint mails_kind_check,
  drop constraint mails_of_affiliates,
  add constraint mails_kind_check check
    (kind in ('affiliate_approved', 'affiliate_declined', 'affiliate_left', 'new_paid_referral', 'payout_paid', 'payouts_failed',
      'endpoint_disabled', 'invitation', 'password_reset', 'email_confirmation', 'portal_code', 'claim_decided',
      'payout_email_code', 'payout_email_changed')),
  add constraint mails_of_affiliates check
    ((kind in ('affiliate_approved', 'affiliate_declined', 'affiliate_left', 'new_paid_referral', 'payout_paid', 'claim_decided'))
      = (affiliate_id is not null));
