/** The counts of this process for its metrics, each by a label with few values. */
interface Tallies {
  /** Requests beyond a limit, by the limit. */
  refused: LimitName;
  /** By reason: `credential` is an unknown or ended key or session. */
  failed_sign_ins: "password" | "second_factor" | "passkey" | "code" | "credential";
  /** Rows that a quota has admitted, and those that it refused, by quota. */
  quota_admitted: string;
  quota_refused: string;
}

/** A limit that answers `rate_limited` or `sign_in_limited`; `other`: one of a single operation. */
export type LimitName =
  | "requests_of_address"
  | "requests_of_key"
  | "requests_of_person"
  | "concurrent_requests"
  | "arriving_bodies"
  | "failed_authentications"
  | "sign_ins"
  | "clicks"
  | "sign_ups"
  | "other";

const counts: Record<keyof Tallies, Map<string, number>> = {
  refused: new Map(),
  failed_sign_ins: new Map(),
  quota_admitted: new Map(),
  quota_refused: new Map(),
};

/** Counts one more. */
export function tally<Name extends keyof Tallies>(name: Name, label: Tallies[Name]): void {
  const count = counts[name];
  count.set(label, (count.get(label) ?? 0) + 1);
}

/** The counts since the process began, by label. */
export function tallied(name: keyof Tallies): ReadonlyMap<string, number> {
  return counts[name];
}
