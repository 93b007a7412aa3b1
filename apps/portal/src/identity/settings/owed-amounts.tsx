import { useTexts } from "../../language/language.tsx";
import { useFormats } from "../../language/use-formats.ts";
import type { Owed } from "./queries.ts";

/** The amounts still to be paid, by currency: currencies are never added up. */
export function OwedAmounts({ owed }: { owed: Owed }) {
  const { settings } = useTexts();
  const { money } = useFormats();
  if (owed.length === 0) return null;
  const parts = ["due", "held", "in_payout"] as const;
  return (
    <dl className="grid gap-2 rounded-card border border-line bg-sunk px-4 py-3 text-table">
      {owed.flatMap((amounts) =>
        parts
          .filter((part) => amounts[part] !== 0)
          .map((part) => (
            <div key={`${amounts.currency} ${part}`} className="flex justify-between gap-x-4">
              <dt className="min-w-0 text-muted">
                {part === "due" && amounts.due < 0
                  ? settings.owed_parts.below_zero
                  : settings.owed_parts[part]}
              </dt>
              <dd className="shrink-0 font-medium whitespace-nowrap tabular-nums">
                {money(amounts[part], amounts.currency)}
              </dd>
            </div>
          )),
      )}
    </dl>
  );
}
