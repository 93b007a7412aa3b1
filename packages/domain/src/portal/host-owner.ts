import { isHostOfOthers, type PortalHostProofRow } from "@findersfee/database/portal/hosts";
import type { Connection } from "@findersfee/database/postgres/connect";
import { violatedUnique } from "@findersfee/database/postgres/errors";
import { type DomainError, invalidField } from "../errors.ts";
import { endOfProof } from "../record-proof.ts";

/** When a served name stops being served unless its record comes back; null: its record is there, or it is not served. */
export function servedUntil({
  portal_host_proven_at,
  portal_host_failing_since,
}: Pick<PortalHostProofRow, "portal_host_proven_at" | "portal_host_failing_since">): Date | null {
  if (portal_host_proven_at === null || portal_host_failing_since === null) return null;
  return endOfProof(portal_host_failing_since);
}

/**
 * Throws if a name belongs to another organization, so that people know when they store it. The database decides when it is
 * proven: by the unique index `organizations_portal_host`, and the trigger `keep_released_names`.
 */
export async function requireHostOfNobody(sql: Connection, id: string, host: string): Promise<void> {
  const state = await isHostOfOthers(sql, id, host);
  if (state !== null) throw hostOfOthers(state);
}

/** The error for a proof that the database refused; null: another error. */
export function hostErrorOf(error: unknown): DomainError | null {
  switch (violatedUnique(error)) {
    case "organizations_portal_host":
      return hostOfOthers("served");
    case "released_names":
      return hostOfOthers("released");
    default:
      return null;
  }
}

function hostOfOthers(state: "served" | "released"): DomainError {
  return invalidField(
    "host",
    state === "served"
      ? "Another organization has proven that it has this host name."
      : "Another organization had this host name a short time ago. It is free 90 days after that.",
  );
}
