import type { AuditAction, AuditResource } from "@findersfee/contract/audit-log";

/** The kinds of things that change, by the service's names. */
export const RESOURCES: Record<AuditResource, string> = {
  campaign: "Campaign",
  affiliate: "Affiliate",
  promo_code: "Promo code",
  commission: "Commission",
  payout: "Payout",
  payout_run: "Payout run",
  payment_decision: "Payment",
  api_key: "API key",
  endpoint: "Webhook",
  processor: "Connection",
  settings: "Payout settings",
  organization: "Organization",
  member: "Member",
  invitation: "Invitation",
  job: "Task",
  mail: "Email",
  claim: "Claim",
};

export const ACTIONS: Record<AuditAction, string> = {
  created: "created",
  updated: "changed",
  deleted: "deleted",
  enabled: "enabled",
  disabled: "disabled",
  rotated: "replaced the secret of",
  secret_expired: "ended the old secret of",
  revoked: "revoked",
  linked: "linked",
  rerun: "ran again",
  erased: "erased personal data of",
  downloaded: "downloaded a file of",
};

export const texts = {
  title: "History",
  kind: "Kind",
  person: "Person",
  only_thing: "One thing",
  operator_hint: "At the command line",
  one_field: "1 field",
  fields: (count: number) => `${count} fields`,
  field: "Field",
  before: "Before",
  after: "After",
  none: "—",
  yes: "Yes",
  no: "No",
  nothing_yet: "No changes yet",
  nothing_yet_hint: "Each change that a person, a program or the command line makes is recorded here.",
  nothing_matches: "No change matches",
  open: (thing: string) => `View ${thing.toLowerCase().replace("api", "API")}`,
  all_of_it: "All its changes",
  without_fields: "Its values are secret or were erased.",
};
