const NAMES: Record<string, string> = {
  affiliate_approved: "Approval of an affiliate",
  promo_code_ready: "Promo code works",
  affiliate_declined: "Refusal of an affiliate",
  affiliate_left: "Affiliate left",
  new_paid_referral: "New paid referral",
  payout_paid: "Payout paid",
  payouts_failed: "Payouts failed",
  payout_run_waiting: "Payout run waiting for approval",
  endpoint_disabled: "Webhook disabled",
  applications_waiting: "Applications waiting",
  claims_waiting: "Missing sales waiting",
  connections_failed: "Connection failures",
  daily_digest: "Daily email",
  invitation: "Invitation",
  password_reset: "New password",
  email_confirmation: "Confirmation of an email",
  claim_decided: "Decision on a missing sale",
  portal_code: "Code for the portal",
  payout_email_code: "Code for a new payout email",
  payout_email_changed: "Payout email changed",
  device_link: "Confirmation of a browser",
  security_notice: "Notice about an account’s security",
};

/** The name of a kind of email. */
export const mailName = (kind: string): string => NAMES[kind] ?? kind.replaceAll("_", " ");
