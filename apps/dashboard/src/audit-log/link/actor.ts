import type { AuditEntry } from "../queries.ts";

/** The names of those who are neither people nor keys. */
export const actors = { operator: "Operator", service: "Findersfee", unknown: "Somebody" };

/** The name of who made a change: a person, a key, the command line or the service itself. */
export function actorOf({ actor, actor_name }: Pick<AuditEntry, "actor" | "actor_name">): string {
  if (actor_name !== null) return actor_name;
  if (actor === "operator") return actors.operator;
  return /^(user|key|affiliate) /.test(actor) ? actors.unknown : `${actors.service} (${actor})`;
}
