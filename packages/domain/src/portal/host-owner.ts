import {
  type HostAnswer,
  type HostProofsRow,
  type HostUse,
  isHostOfOthers,
} from "@findersfee/database/portal/hosts";
import type { Connection } from "@findersfee/database/postgres/connect";
import { violatedUnique } from "@findersfee/database/postgres/errors";
import { type DomainError, invalidField } from "../errors.ts";
import { endOfProof, type RecordProof } from "../record-proof.ts";

/** The fields of the settings with host names. */
export const HOST_FIELDS = { portal: "host", link: "link_host" } as const satisfies Record<HostUse, string>;

/** A host name that an organization wants, with its proof. */
export interface WantedHost extends RecordProof, HostAnswer {
  /** Null: none. */
  host: string | null;
}

export function wantedHost(row: HostProofsRow, use: HostUse): WantedHost {
  return use === "portal"
    ? {
        host: row.portal_host_wanted,
        proven_at: row.portal_host_proven_at,
        checked_at: row.portal_host_checked_at,
        failure: row.portal_host_failure,
        failing_since: row.portal_host_failing_since,
        answered_at: row.portal_host_answered_at,
        unreachable_since: row.portal_host_unreachable_since,
      }
    : {
        host: row.link_host_wanted,
        proven_at: row.link_host_proven_at,
        checked_at: row.link_host_checked_at,
        failure: row.link_host_failure,
        failing_since: row.link_host_failing_since,
        answered_at: row.link_host_answered_at,
        unreachable_since: row.link_host_unreachable_since,
      };
}

/** When a served name stops being served unless its record comes back; null: its record is there, or it is not served. */
export function servedUntil({
  proven_at,
  failing_since,
}: Pick<RecordProof, "proven_at" | "failing_since">): Date | null {
  if (proven_at === null || failing_since === null) return null;
  return endOfProof(failing_since);
}

/**
 * Since when a verified name does not answer, as people see it. Null while its record is missing, since then
 * the record is the problem.
 */
export function unreachableSince({
  proven_at,
  failing_since,
  unreachable_since,
}: Pick<WantedHost, "proven_at" | "failing_since" | "unreachable_since">): Date | null {
  return proven_at === null || failing_since !== null ? null : unreachable_since;
}

/** A name to store, with its organization and its use. */
export interface HostClaim {
  organization_id: string;
  use: HostUse;
  host: string;
}

/**
 * Throws if a name belongs to another organization, so that people know when they store it. The database decides when it is
 * proven: by unique indexes, and the trigger `keep_released_names`.
 */
export async function requireHostOfNobody(
  sql: Connection,
  { organization_id, use, host }: HostClaim,
): Promise<void> {
  const state = await isHostOfOthers(sql, organization_id, host);
  if (state !== null) throw hostOfOthers(state, use);
}

/** The error for a proof that the database refused; null: another error. */
export function hostErrorOf(error: unknown, use: HostUse): DomainError | null {
  switch (violatedUnique(error)) {
    case "organizations_portal_host":
    case "organizations_link_host":
    case "organizations_served_host":
      return hostOfOthers("served", use);
    case "released_names":
      return hostOfOthers("released", use);
    default:
      return null;
  }
}

function hostOfOthers(state: "served" | "released", use: HostUse): DomainError {
  return invalidField(
    HOST_FIELDS[use],
    state === "served"
      ? "Another organization has verified this domain."
      : "Another organization had this domain a short time ago. It is free 90 days after that.",
  );
}
