const NAMES: Record<string, string> = {
  affiliate_approved: "Affiliate approved",
  promo_code_ready: "Promo code ready",
  affiliate_declined: "Application declined",
  affiliate_left: "Affiliate left",
  new_paid_referral: "New paid referral",
  payout_paid: "Payout paid",
  payouts_failed: "Payouts failed",
  payout_run_waiting: "Payout run waiting for approval",
  endpoint_disabled: "Webhook disabled",
  applications_waiting: "Applications waiting",
  claims_waiting: "Claims waiting",
  connections_failed: "Connection failures",
  daily_digest: "Daily email",
  invitation: "Invitation",
  password_reset: "Password reset",
  email_confirmation: "Email confirmation",
  claim_decided: "Claim decided",
  portal_code: "Portal code",
  payout_email_code: "Payout email code",
  payout_email_changed: "Payout email changed",
  device_link: "Browser confirmation",
  security_notice: "Account security notice",
};

/** The name of a kind of email. */
export const mailName = (kind: string): string => NAMES[kind] ?? kind.replaceAll("_", " ");
