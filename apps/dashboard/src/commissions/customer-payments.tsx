import { useClock } from "@findersfee/ui/components/clock";
import { RadioField } from "@findersfee/ui/components/controls";
import { Failure, Notice } from "@findersfee/ui/components/notice";
import { Money, Time } from "@findersfee/ui/components/values";
import type { Clock } from "@findersfee/ui/formats/clock";
import { formatFullDay } from "@findersfee/ui/formats/dates";
import { formatMoney } from "@findersfee/ui/formats/money";
import { Link } from "@findersfee/ui/navigation";
import type { Option } from "@findersfee/ui/overlays/items";
import { failureOf } from "@findersfee/ui/requests/failure";
import { useQuery } from "@tanstack/react-query";
import { labels } from "../attribution/outcome-texts.ts";
import { useSession } from "../session/session.tsx";
import { new_texts } from "./new-texts.ts";
import { type CustomerPayment, customerPaymentsQuery } from "./queries.ts";

/** A payment in the last days that may be the one the commission is for. */
const RECENT_MILLISECONDS = 90 * 24 * 60 * 60 * 1000;

interface CustomerPaymentsProps {
  affiliate: Option;
  customer: Option;
  /** Null: the commission is for none of them. */
  chosen: CustomerPayment | null;
  onChoose: (payment: CustomerPayment | null) => void;
}

/** The payments that processors reported of the customer: the commission can be for one of them. */
export function CustomerPayments({ affiliate, customer, chosen, onChoose }: CustomerPaymentsProps) {
  const session = useSession();
  const clock = useClock();
  const { data, error, refetch } = useQuery(
    customerPaymentsQuery(session, { affiliate_id: affiliate.value, customer_email: customer.label }),
  );
  if (error !== null) {
    return <Failure message={failureOf(error).message} onRetry={() => void refetch()} />;
  }
  if (data === undefined) return null;
  const free = data.payments.filter(({ is_free }) => is_free);
  const earned = data.payments.filter(({ is_free }) => !is_free);
  const recent = free.filter(({ paid_at }) => Date.now() - Date.parse(paid_at) < RECENT_MILLISECONDS);
  return (
    <>
      {data.holder !== null && (
        <Notice tone="warn" title={new_texts.of_other(data.holder.name)}>
          <Link to={`${session.home}/referrals/${data.holder.referral_id}`} className="underline">
            {new_texts.of_other_link}
          </Link>
        </Notice>
      )}
      {free.length > 0 && (
        <RadioField
          label={new_texts.which_payment}
          name="payment"
          chosen={chosen?.id ?? ""}
          choices={[
            ...free.map((payment) => ({
              value: payment.id,
              label: choiceOf(payment, clock),
              hint: labels[payment.outcome],
            })),
            { value: "", label: new_texts.no_payment, hint: new_texts.no_payment_hint },
          ]}
          onChoose={(id) => onChoose(free.find((payment) => payment.id === id) ?? null)}
        />
      )}
      {chosen === null && recent.length > 0 && (
        <Notice tone="warn" title={new_texts.paid_recently}>
          {new_texts.paid_recently_hint}
        </Notice>
      )}
      {chosen !== null && chosen.taken_back_amount > 0 && (
        <Notice tone="info" title={new_texts.refunded}>
          {new_texts.refunded_hint(
            formatMoney(chosen.taken_back_amount, chosen.currency),
            formatMoney(chosen.paid_amount, chosen.currency),
          )}
        </Notice>
      )}
      {earned.length > 0 && <Earned payments={earned} />}
    </>
  );
}

function choiceOf(
  { revenue_amount, currency, paid_at, processor_payment_id }: CustomerPayment,
  clock: Clock,
): string {
  const day = formatFullDay(new Date(paid_at), clock);
  return `${formatMoney(revenue_amount, currency)} · ${day} · ${processor_payment_id}`;
}

/** Payments that have a commission already. */
function Earned({ payments }: { payments: CustomerPayment[] }) {
  const { home } = useSession();
  return (
    <div className="grid gap-1 text-table text-muted">
      <p>{new_texts.earned}</p>
      <ul className="grid gap-1">
        {payments.map(({ id, paid_at, revenue_amount, currency }) => (
          <li key={id} className="flex flex-wrap gap-x-2">
            <Link to={`${home}/payments/${id}`} className="text-accent underline">
              <Money amount={revenue_amount} currency={currency} />
            </Link>
            <Time at={paid_at} />
          </li>
        ))}
      </ul>
    </div>
  );
}
