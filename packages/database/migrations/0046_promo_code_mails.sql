-- Mails to affiliates whose promo code customers can use from now on. `about` has the ids of the code and of its promotion code.

alter table mails
  drop constraint mails_kind_check,
  drop constraint mails_of_affiliates,
  add constraint mails_kind_check check
    (kind in ('affiliate_approved', 'affiliate_declined', 'affiliate_left', 'new_paid_referral', 'payout_paid', 'payouts_failed',
      'endpoint_disabled', 'invitation', 'password_reset', 'email_confirmation', 'portal_code', 'claim_decided',
      'payout_email_code', 'payout_email_changed', 'device_link', 'security_notice', 'payout_run_waiting', 'promo_code_ready')),
  add constraint mails_of_affiliates check
    ((kind in ('affiliate_approved', 'affiliate_declined', 'affiliate_left', 'new_paid_referral', 'payout_paid', 'claim_decided',
      'promo_code_ready')) = (affiliate_id is not null));
