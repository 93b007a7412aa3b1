import { Money } from "@findersfee/ui/components/values";
import { Breakdown } from "../lists/breakdown.tsx";
import { payout_texts } from "./payout-texts.ts";
import type { Payout } from "./queries.ts";

type Conversion = NonNullable<Payout["conversions"]>[number];

/** The parts of a payout from other currencies: both amounts, the rate, and its source and day. Nothing without one. */
export function Conversions({ payout: { conversions = [], currency } }: { payout: Payout }) {
  if (conversions.length === 0) return null;
  return (
    <Breakdown
      rows={conversions}
      keyOf={({ currency: from }) => from}
      columns={[
        {
          header: payout_texts.converted_from,
          cell: ({ amount, currency: from }) => <Money amount={amount} currency={from} />,
        },
        {
          header: payout_texts.rate,
          cell: (conversion) => (
            <>
              1 {conversion.currency} = {conversion.rate} {currency}
            </>
          ),
        },
        { header: payout_texts.rate_source, cell: sourcesOf, muted: true },
        {
          header: payout_texts.converted_to(currency),
          cell: ({ converted_amount }) => <Money amount={converted_amount} currency={currency} />,
          align: "end",
        },
      ]}
    />
  );
}

/** Rates of one source and day are named once. */
function sourcesOf({ exchange_rates }: Conversion): string {
  const named = exchange_rates.map(({ source, day }) =>
    payout_texts.rate_of(source === "ecb" ? payout_texts.ecb : payout_texts.own_rate, day),
  );
  return [...new Set(named)].join(", ");
}
