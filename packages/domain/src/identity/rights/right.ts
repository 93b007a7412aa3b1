import type { Role } from "@findersfee/contract/identity/roles";
import type { ApiKeyRow } from "@findersfee/database/identity/api-keys";

/** Who may call an operation. */
export interface Right {
  /** The scope that an API key needs; null: no key may call it. */
  scope: Exclude<ApiKeyRow["scopes"][number], "track"> | null;
  /** The least role of a person; null: no person may call it. */
  role: Role | null;
  /** The alternative for people, for an operation that is for keys alone. */
  instead?: string;
}
