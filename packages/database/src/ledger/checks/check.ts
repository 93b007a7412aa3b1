/** A rule that holds for all rows of the ledger, and a statement that finds the violations. */
export interface LedgerCheck {
  name: string;
  /** The rule, as a sentence. */
  rule: string;
  /** A warning is not damage: the operator should look at it. */
  level: "damage" | "warning";
  /**
   * Selects `organization_id`, `subject` (the row, by its kind and id) and `finding` (the violation) for each row that
   * violates the rule, of one organization, or of all of them when :organization_id is null.
   */
  text: string;
}

/** SQL: whether a row belongs to the requested organization; the planner drops the half that does not apply. */
export function ofAsked(table: string): string {
  return `(:organization_id::uuid is null or ${table}.organization_id = :organization_id::uuid)`;
}
