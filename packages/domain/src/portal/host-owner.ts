import { isHostOfOthers } from "@findersfee/database/portal/hosts";
import type { Connection } from "@findersfee/database/postgres/connect";
import { violatedUnique } from "@findersfee/database/postgres/errors";
import { type DomainError, invalidField } from "../errors.ts";

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
