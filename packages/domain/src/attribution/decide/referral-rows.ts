import { groupBy } from "../../group-by.ts";
import { emailKey } from "../facts/fact-names.ts";
import type { KnownReferral } from "./history.ts";
import type { ReferralOutcome } from "./outcome.ts";

/**
 * Assigns each new referral the most similar stored row: created by the same fact, else with the same email, else with
 * the same customer id, else any. Returns the unassigned rows.
 */
export function assignRows(
  referrals: readonly ReferralOutcome[],
  rows: readonly KnownReferral[],
): KnownReferral[] {
  const free = new Set(rows);
  const assign = (
    nameOf: (referral: ReferralOutcome) => string | null,
    nameOfRow: (row: KnownReferral) => string | null,
  ) => {
    // Reversed, because rows are popped from the end.
    const named = [...free].reverse().filter((row) => nameOfRow(row) !== null);
    const by_name = groupBy(named, (row) => nameOfRow(row) ?? "");
    for (const referral of referrals) {
      const name = referral.id === null ? nameOf(referral) : null;
      const row = name === null ? undefined : by_name.get(name)?.pop();
      if (row === undefined) continue;
      referral.id = row.id;
      free.delete(row);
    }
  };
  assign(
    ({ attributed_by }) => attributed_by,
    ({ attributed_by }) => attributed_by,
  );
  assign(
    ({ email }) => emailKey(email),
    ({ email }) => emailKey(email),
  );
  assign(
    ({ customer_id }) => customer_id,
    ({ processor_customer_id }) => processor_customer_id,
  );
  const any = () => "any";
  assign(any, any);
  return [...free];
}
