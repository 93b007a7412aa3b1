import { Check, TriangleAlert } from "lucide-react";

export interface SumProps {
  label: string;
  total: number;
  /** The amounts that the total consists of. */
  amounts: readonly number[];
  format: (amount: number) => string;
  adds_up: boolean;
  /** Says whether it adds up. */
  verdict: string;
}

/** An amount as the sum of others, such as `$9.80 = $14.70 − $4.90`. */
export function Sum({ label, total, amounts, format, adds_up, verdict }: SumProps) {
  const terms = amounts.map((amount, index) =>
    index === 0 ? format(amount) : ` ${amount < 0 ? "−" : "+"} ${format(Math.abs(amount))}`,
  );
  const Icon = adds_up ? Check : TriangleAlert;
  return (
    <div className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1 rounded-card bg-sunk px-4 py-3">
      <p className="tabular-nums">
        <span className="mr-2 text-muted">{label}</span>
        <strong className="font-semibold">{format(total)}</strong>
        {amounts.length > 1 && <span className="text-muted"> = {terms}</span>}
      </p>
      <p className={`flex items-center gap-1.5 text-table ${adds_up ? "text-good" : "text-bad"}`}>
        <Icon aria-hidden size={14} className="shrink-0" />
        {verdict}
      </p>
    </div>
  );
}
