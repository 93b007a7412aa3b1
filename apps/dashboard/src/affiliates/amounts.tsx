import { Money } from "@findersfee/ui/components/values";
import { formatMoney } from "@findersfee/ui/formats/money";
import { texts } from "./texts.ts";

interface Amount {
  amount: number;
  currency: string;
}

/**
 * Amounts in several currencies, which are never added up: the one in the organization's currency, or else the first, and the
 * number of the others after it, which the tooltip names. Zeros are left out.
 */
export function Amounts({ amounts, home_currency }: { amounts: readonly Amount[]; home_currency: string }) {
  const present = amounts.filter(({ amount }) => amount !== 0);
  const first = present.find(({ currency }) => currency === home_currency) ?? present[0];
  if (first === undefined) return <span className="font-normal text-muted">—</span>;
  if (present.length === 1) return <Money {...first} />;
  const all = present.map(({ amount, currency }) => formatMoney(amount, currency)).join(", ");
  return (
    <span title={all}>
      <span aria-hidden>
        <Money {...first} />
        <span className="ml-1 rounded bg-sunk px-1 text-meta font-normal text-muted">
          {texts.more_currencies(present.length - 1)}
        </span>
      </span>
      <span className="sr-only">{all}</span>
    </span>
  );
}
