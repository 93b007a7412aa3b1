-- The mail to an affiliate after their application was declined. `about` is the affiliate's id and the time.

alter table mails
  drop constraint mails_kind_check,
  drop constraint mails_check1,
  add constraint mails_kind_check check
    (kind in ('affiliate_approved', 'affiliate_declined', 'new_paid_referral', 'payout_paid', 'payouts_failed',
      'endpoint_disabled', 'invitation', 'password_reset', 'email_confirmation')),
  add constraint mails_of_affiliates check
    ((kind in ('affiliate_approved', 'affiliate_declined', 'new_paid_referral', 'payout_paid')) = (affiliate_id is not null));
