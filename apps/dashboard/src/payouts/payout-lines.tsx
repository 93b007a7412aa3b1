import { Money, Time, Untrusted } from "@findersfee/ui/components/values";
import { formatMoney } from "@findersfee/ui/formats/money";
import { Link } from "@findersfee/ui/navigation";
import { Breakdown } from "../lists/breakdown.tsx";
import { useSession } from "../session/session.tsx";
import { payout_texts } from "./payout-texts.ts";
import type { Payout } from "./queries.ts";

/** The letters of an amount that fits a narrow column. */
const SHORT = 13;
/** More are in the statement, and in the list of commissions. */
const SHOWN = 50;

/** The commissions and adjustments of a payout, which add up to its amount. */
export function PayoutLines({ payout }: { payout: Payout }) {
  const { home } = useSession();
  const { id, lines, payment_count, amount, currency, status } = payout;
  // The list of commissions has none of a payout that failed or was canceled.
  const is_released = status === "failed" || status === "canceled";
  return (
    <>
      <div className="-mb-2">
        <Breakdown
          fixed
          rows={lines.slice(0, SHOWN)}
          keyOf={({ id: line_id }) => line_id}
          columns={[
            {
              header: payout_texts.date,
              cell: ({ referral_date }) => <Time at={referral_date} show="day" />,
              width: "w-24 max-wide:w-20",
              muted: true,
            },
            {
              header: payout_texts.source,
              cell: (line) => <Source line={line} home={home} affiliate_id={payout.affiliate.id} />,
            },
            {
              header: payout_texts.amount,
              cell: (line) => (
                <>
                  {line.reversal_of !== null && (
                    <span className="mr-2 text-muted">{payout_texts.reversal}</span>
                  )}
                  <Money amount={line.amount} currency={line.currency ?? currency} />
                </>
              ),
              align: "end",
              width: formatMoney(amount, currency).length > SHORT ? "w-36" : "w-28 max-wide:w-24",
            },
          ]}
          sum={{ label: payout_texts.sum, amount: <Money amount={amount} currency={currency} /> }}
        />
      </div>
      {payment_count > SHOWN && (
        <p className="flex flex-wrap gap-x-3 pt-1 text-table text-muted">
          {payout_texts.some_of(SHOWN, payment_count)}
          <Link to={`${home}/payouts/${id}/statement`} className="text-accent underline">
            {payout_texts.show_statement}
          </Link>
          {!is_released && (
            <Link to={`${home}/commissions?payout=${id}`} className="text-accent underline">
              {payout_texts.show_commissions}
            </Link>
          )}
        </p>
      )}
    </>
  );
}

/** The customer of a commission, or the reason of an adjustment. */
function Source({
  line: { id, customer_email, adjustment },
  home,
  affiliate_id,
}: {
  line: Payout["lines"][number];
  home: string;
  affiliate_id: string;
}) {
  const to =
    adjustment === null
      ? `/commissions/${id}`
      : adjustment.commission_id === null
        ? `/affiliates/${affiliate_id}`
        : `/commissions/${adjustment.commission_id}`;
  return (
    <Link to={`${home}${to}`} className="after:absolute after:inset-0">
      {adjustment === null ? (
        <Untrusted lines={3}>{customer_email ?? ""}</Untrusted>
      ) : (
        <>
          <Untrusted lines={3}>{adjustment.reason}</Untrusted>
          <span className="block text-muted">{payout_texts.adjustment}</span>
        </>
      )}
    </Link>
  );
}
