import { Money, Time, Untrusted } from "@findersfee/ui/components/values";
import { Link } from "@findersfee/ui/navigation";
import { Breakdown } from "../lists/breakdown.tsx";
import { useSession } from "../session/session.tsx";
import { payout_texts } from "./payout-texts.ts";
import type { Payout } from "./queries.ts";

/** More are in the list of commissions. */
const SHOWN = 50;

/** The commissions of a payout, which add up to its amount. */
export function PayoutLines({ payout }: { payout: Payout }) {
  const { home } = useSession();
  const { id, lines, payment_count, amount, currency, status } = payout;
  const is_released = status === "failed" || status === "canceled";
  return (
    <>
      <div className="-mb-2">
        <Breakdown
          fixed
          rows={lines.slice(0, SHOWN)}
          keyOf={({ commission_id }) => commission_id}
          columns={[
            {
              header: payout_texts.date,
              cell: ({ referral_date }) => <Time at={referral_date} show="day" />,
              width: "w-24 max-wide:w-20",
              muted: true,
            },
            {
              header: payout_texts.customer,
              cell: ({ commission_id, customer_email }) => (
                <Link to={`${home}/commissions/${commission_id}`} className="after:absolute after:inset-0">
                  <Untrusted lines={1}>{customer_email}</Untrusted>
                </Link>
              ),
            },
            {
              header: payout_texts.commission,
              cell: ({ reversal_of, commission_amount }) => (
                <>
                  {reversal_of !== null && <span className="mr-2 text-muted">{payout_texts.reversal}</span>}
                  <Money amount={commission_amount} currency={currency} />
                </>
              ),
              align: "end",
              width: "w-28 max-wide:w-24",
            },
          ]}
          sum={{ label: payout_texts.sum, amount: <Money amount={amount} currency={currency} /> }}
        />
      </div>
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
