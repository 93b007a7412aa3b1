import { Money, Time, Untrusted } from "@findersfee/ui/components/values";
import { Link } from "@findersfee/ui/navigation";
import { useSession } from "../session/session.tsx";
import { payout_texts } from "./payout-texts.ts";
import type { Payout } from "./queries.ts";

/** More are in the list of commissions. */
const SHOWN = 50;

/** The commissions that a payout was created from, which add up to its amount. */
export function PayoutLines({ payout }: { payout: Payout }) {
  const { home } = useSession();
  const { id, lines, payment_count, amount, currency, status } = payout;
  const is_released = status === "failed" || status === "canceled";
  return (
    <>
      <table className="-mb-2 w-full table-fixed border-collapse text-table">
        <thead>
          <tr className="h-8 border-b border-line text-left text-meta text-muted">
            <th scope="col" className="w-24 font-medium max-wide:w-20">
              {payout_texts.date}
            </th>
            <th scope="col" className="font-medium">
              {payout_texts.customer}
            </th>
            <th scope="col" className="w-28 text-right font-medium max-wide:w-24">
              {payout_texts.commission}
            </th>
          </tr>
        </thead>
        <tbody>
          {lines.slice(0, SHOWN).map((line) => (
            <tr key={line.commission_id} className="relative h-9 border-b border-line hover:bg-hover">
              <td className="text-muted">
                <Time at={line.referral_date} show="day" />
              </td>
              <td className="truncate pr-2">
                <Link
                  to={`${home}/commissions/${line.commission_id}`}
                  className="after:absolute after:inset-0"
                >
                  <Untrusted lines={1}>{line.customer_email}</Untrusted>
                </Link>
              </td>
              <td className="text-right">
                {line.reversal_of !== null && (
                  <span className="mr-2 text-muted">{payout_texts.reversal}</span>
                )}
                <Money amount={line.commission_amount} currency={currency} />
              </td>
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr className="h-9 font-medium">
            <th scope="row" colSpan={2} className="text-left">
              {payout_texts.sum}
            </th>
            <td className="text-right">
              <Money amount={amount} currency={currency} />
            </td>
          </tr>
        </tfoot>
      </table>
      {payment_count > SHOWN && !is_released && (
        <p className="pt-1 text-table">
          <Link to={`${home}/commissions?payout=${id}`} className="text-accent underline">
            {payout_texts.show_all(payment_count)}
          </Link>
        </p>
      )}
    </>
  );
}
