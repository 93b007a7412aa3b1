/** How the service must answer a deed. `skipped`: the deed makes no sense now, so nobody does it. */
export type Answer =
  | "done"
  | "skipped"
  | "invalid_request"
  | "referral_exists"
  | "commission_locked"
  | "adjustment_locked"
  | "not_found"
  | "override_refused"
  | "commission_exists"
  /** The outcome of a conversion. */
  | `conversion: ${string}`;
