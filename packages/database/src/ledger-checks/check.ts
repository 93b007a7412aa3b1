/** Something that holds for all rows of the ledger, and how to find those for which it does not. */
export interface LedgerCheck {
  name: string;
  /** What holds. */
  rule: string;
  /** A warning is no damage: something that somebody should look at. */
  level: "damage" | "warning";
  /**
   * Selects `organization_id`, `subject` (the row, by its kind and id) and `finding` (what it is instead) of each
   * row that breaks the rule. Of one organization, or of all of them when :organization_id is null.
   */
  text: string;
}

/** Rows of the organization that is asked for; the planner sees which half of it is in force. */
export function ofAsked(table: string): string {
  return `(:organization_id::uuid is null or ${table}.organization_id = :organization_id::uuid)`;
}
