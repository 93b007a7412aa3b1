import type { SessionPolicyRow } from "@findersfee/database/identity/security-policies";
import { DomainError } from "../../errors.ts";
import { type AllowedNetworks, allowedNetworks } from "./networks.ts";

/** An organization's requirements for a session that opens it, and the session's properties. */
export interface SessionPolicy {
  networks: AllowedNetworks | null;
  second_factor_required: boolean;
  session_hours: number | null;
  idle_minutes: number | null;
  session: SessionFacts;
}

/** A session as it was read. */
export interface SessionFacts {
  created_at: Date;
  updated_at: Date;
  longest_idle_seconds: number;
  two_factor_enabled: boolean;
}

const HOUR_MILLISECONDS = 60 * 60_000;
const MINUTE_SECONDS = 60;

export function sessionPolicyOf(row: SessionPolicyRow, session: SessionFacts): SessionPolicy {
  const { staff_networks, ...rest } = row;
  return { ...rest, networks: allowedNetworks(staff_networks), session };
}

/**
 * Requires that a session is new enough for the organization, and its person has a second factor if it needs one. The caller checks
 * the network.
 *
 * @throws DomainError `session_limited`; `second_factor_required`
 */
export function requireSessionPolicy(policy: SessionPolicy): void {
  requireNewSession(policy);
  if (policy.second_factor_required && !policy.session.two_factor_enabled) {
    throw new DomainError("second_factor_required");
  }
}

/** An idle limit counts the longest time without a request, also before the last one, which would else hide it. */
function requireNewSession({ session_hours, idle_minutes, session }: SessionPolicy): void {
  const now = Date.now();
  if (session_hours !== null && now >= session.created_at.getTime() + session_hours * HOUR_MILLISECONDS) {
    throw new DomainError("session_limited", {
      message: `The organization asks for a new sign-in after ${session_hours} ${session_hours === 1 ? "hour" : "hours"}. Sign in again to open it.`,
    });
  }
  if (idle_minutes === null) return;
  const idle_seconds = Math.max((now - session.updated_at.getTime()) / 1000, session.longest_idle_seconds);
  // The last use is stored once a minute.
  if (idle_seconds < (idle_minutes + 1) * MINUTE_SECONDS) return;
  throw new DomainError("session_limited", {
    message: `The organization asks for a new sign-in after ${idle_minutes} minutes without use. Sign in again to open it.`,
  });
}
