import { Check, TriangleAlert } from "lucide-react";
import { useTexts } from "../language/language.tsx";
import { useFormats } from "../language/use-formats.ts";
import type { Story } from "./queries.ts";

/** The commission as the sum of its ledger entries. */
export function Sum({ story: { earning, entries, net_amount, adds_up } }: { story: Story }) {
  const { earnings } = useTexts();
  const formats = useFormats();
  const money = (amount: number) => formats.money(amount, earning.currency);
  const terms = entries
    .map(({ amount }, index) =>
      index === 0 ? money(amount) : ` ${amount < 0 ? "−" : "+"} ${money(Math.abs(amount))}`,
    )
    .join("");
  return (
    <div className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1 rounded-card bg-sunk px-4 py-3">
      <p className="tabular-nums">
        <span className="mr-2 text-muted">{earnings.sum}</span>
        <strong className="font-semibold">{money(net_amount)}</strong>
        {entries.length > 1 && <span className="text-muted"> = {terms}</span>}
      </p>
      <p className={`flex items-center gap-1.5 text-table ${adds_up ? "text-good" : "text-bad"}`}>
        {adds_up ? (
          <Check aria-hidden size={14} className="shrink-0" />
        ) : (
          <TriangleAlert aria-hidden size={14} className="shrink-0" />
        )}
        {adds_up ? earnings.adds_up : earnings.does_not_add_up}
      </p>
    </div>
  );
}
