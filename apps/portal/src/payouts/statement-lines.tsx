import { Untrusted } from "@findersfee/ui/components/values";
import { leadName } from "../commissions/lead-name.ts";
import { useTexts } from "../language/language.tsx";
import { useFormats } from "../language/use-formats.ts";
import type { Statement, StatementLine } from "./queries.ts";
import { useStatementDay } from "./use-statement-day.ts";

/** Each commission, reversal and adjustment, and their sum. On paper the head is repeated, and the sum is not. */
export function StatementLines({ statement }: { statement: Statement }) {
  const { payouts } = useTexts();
  const { money, number } = useFormats();
  const { lines, lines_after, amount, currency, payment_count, time_zone } = statement;
  const has_revenue = lines.some(({ revenue_amount }) => revenue_amount !== null);
  return (
    <table className="w-full border-collapse text-table">
      <caption className="pb-2 text-left font-semibold text-body">{payouts.lines}</caption>
      <thead>
        <tr className="border-b border-rule text-left text-meta text-muted">
          <th scope="col" className="py-2 pr-3 font-medium whitespace-nowrap">
            {payouts.date}
          </th>
          <th scope="col" className="w-full py-2 pr-3 font-medium">
            {payouts.source}
          </th>
          {has_revenue && (
            <th
              scope="col"
              className="py-2 pr-3 text-right font-medium whitespace-nowrap max-tablet:hidden print:table-cell"
            >
              {payouts.revenue}
            </th>
          )}
          <th scope="col" className="py-2 text-right font-medium whitespace-nowrap">
            {payouts.commission}
          </th>
        </tr>
      </thead>
      <tbody>
        {lines.map((line) => (
          <Line key={line.id} {...{ line, currency, time_zone, has_revenue }} />
        ))}
        {lines_after !== null && (
          <tr>
            <td colSpan={4} className="py-2 text-muted">
              {payouts.more_lines(number(payment_count - lines.length))}
            </td>
          </tr>
        )}
      </tbody>
      <tfoot className="print:table-row-group">
        <tr className="break-inside-avoid border-t border-rule font-semibold">
          <th scope="row" colSpan={2} className="py-3 text-left">
            {payouts.sum}
          </th>
          {has_revenue && <td className="max-tablet:hidden print:table-cell" />}
          <td className="py-3 text-right whitespace-nowrap tabular-nums">{money(amount, currency)}</td>
        </tr>
      </tfoot>
    </table>
  );
}

function Line({
  line: { referral_date, customer, revenue_amount, amount, reversal_of, lead, adjustment },
  currency,
  time_zone,
  has_revenue,
}: {
  line: StatementLine;
  currency: string;
  time_zone: string;
  has_revenue: boolean;
}) {
  const { payouts } = useTexts();
  const { money } = useFormats();
  const dayOf = useStatementDay(time_zone);
  return (
    <tr className="break-inside-avoid border-b border-line align-top">
      <td className="py-2 print:py-1 pr-3 whitespace-nowrap text-muted tabular-nums">
        {dayOf(referral_date)}
      </td>
      <td className="py-2 print:py-1 pr-3">
        <Untrusted>{adjustment?.reason ?? customer ?? ""}</Untrusted>
        {adjustment !== null && <span className="block text-muted">{payouts.adjustment}</span>}
        {lead !== null && <span className="block text-muted">{leadName(lead, payouts)}</span>}
        {reversal_of !== null && <span className="block text-muted">{payouts.reversal}</span>}
      </td>
      {has_revenue && (
        <td className="py-2 print:py-1 pr-3 text-right whitespace-nowrap text-muted tabular-nums max-tablet:hidden print:table-cell">
          {revenue_amount === null ? "" : money(revenue_amount, currency)}
        </td>
      )}
      <td className="py-2 print:py-1 text-right whitespace-nowrap tabular-nums">{money(amount, currency)}</td>
    </tr>
  );
}
