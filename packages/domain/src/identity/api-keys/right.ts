import type { Role } from "@findersfee/contract/identity/roles";
import type { Scope } from "./create.ts";

/** Who may call an operation. */
export interface Right {
  /** The scope that an API key needs; null: no key may call it. */
  scope: Exclude<Scope, "track"> | null;
  /** The least role of a person. */
  role: Role;
}
