import { useTexts } from "../language/language.tsx";
import { useFormats } from "../language/use-formats.ts";
import type { Statement } from "./queries.ts";

type Conversion = NonNullable<Statement["conversions"]>[number];

/** Each amount from another currency, with its rate, and the source and day of the rate. */
export function StatementConversions({
  conversions,
  currency,
  has_revenue,
}: {
  conversions: readonly Conversion[];
  currency: string;
  has_revenue: boolean;
}) {
  const { payouts } = useTexts();
  const { money } = useFormats();
  return conversions.map((conversion) => (
    <tr key={conversion.currency} className="break-inside-avoid border-b border-line align-top">
      <th scope="row" colSpan={2} className="py-2 pr-3 text-left font-normal">
        {payouts.converted(money(conversion.amount, conversion.currency))}
        <span className="block text-muted">
          {payouts.rate(conversion.currency, conversion.rate, currency)}
          <RateDays rates={conversion.exchange_rates} />
        </span>
      </th>
      {has_revenue && <td className="max-tablet:hidden print:table-cell" />}
      <td className="py-2 text-right whitespace-nowrap tabular-nums">
        {money(conversion.converted_amount, currency)}
      </td>
    </tr>
  ));
}

/** Rates of one source and day are named once. */
function RateDays({ rates }: { rates: Conversion["exchange_rates"] }) {
  const { payouts } = useTexts();
  const { date } = useFormats();
  const named = rates.map(({ source, day }) =>
    payouts.rate_of(payouts.rate_sources[source] ?? payouts.own_rate, date(day)),
  );
  return [...new Set(named)].map((name) => <span key={name}> · {name}</span>);
}
