/** The author of a change. */
export type Actor =
  | { kind: "key"; id: string }
  | { kind: "user"; id: string }
  /** An affiliate, in the portal. */
  | { kind: "affiliate"; id: string }
  /** The operator at the command line. */
  | { kind: "operator" }
  | { kind: "job"; name: string }
  /** A change that the service makes on its own, or for a person who is neither a user nor a program. */
  | {
      kind: "automatic";
      name:
        | "payout day"
        | "automatic approval"
        | "tier bonus"
        | "sign-up"
        | "signed sign-up"
        | "unsubscribe link"
        | "joining"
        | "host check"
        | "single sign-on";
    };

export const OPERATOR: Actor = { kind: "operator" };

/** The actor in the audit log and in the ledger: `key <id>`, `user <id>`, `affiliate <id>`, `operator`, `job <name>`. */
export function actorText(actor: Actor): string {
  switch (actor.kind) {
    case "key":
    case "user":
    case "affiliate":
      return `${actor.kind} ${actor.id}`;
    case "operator":
      return "operator";
    case "job":
      return `job ${actor.name}`;
    case "automatic":
      return actor.name;
  }
}

/** The inverse of `actorText`, for keys, users and the operator. */
export function actorOfText(text: string): Actor {
  const [kind, id = ""] = text.split(" ");
  if (kind === "key" || kind === "user") return { kind, id };
  if (kind === "operator") return OPERATOR;
  throw new Error(`${text} is not the actor of a request`);
}
