import { MAX_CLAIMED_PAYMENTS } from "@findersfee/contract/customers/claim-limits";
import { State } from "@findersfee/ui/components/state";
import { Money, Time } from "@findersfee/ui/components/values";
import { Link } from "@findersfee/ui/navigation";
import { nameOf } from "../../affiliates/name.ts";
import { Candidate } from "../../attribution/candidates.tsx";
import { labels, toneOf } from "../../attribution/outcome-texts.ts";
import { useMay, useSession } from "../../session/session.tsx";
import type { ClaimDetail, ClaimedPayment } from "./queries.ts";
import { texts } from "./texts.ts";

/** Every payment of the customer with its decision, and the affiliate's own clicks and codes. */
export function ClaimedPayments({ detail: { claim, payments } }: { detail: ClaimDetail }) {
  const { home } = useSession();
  const may_create = useMay("admin");
  if (payments.length === 0) {
    return (
      <div className="grid gap-1">
        <p className="wrap-anywhere">{texts.no_payments(claim.email)}</p>
        <p className="text-table text-muted">{texts.no_payments_hint}</p>
        {may_create && claim.state === "open" && (
          <p className="text-table">
            <Link to={`${home}/commissions/new`} className="text-accent underline">
              {texts.by_hand}
            </Link>
          </p>
        )}
      </div>
    );
  }
  return (
    <>
      <ol className="grid grid-cols-1">
        {payments.map((payment) => (
          <Payment key={payment.id} payment={payment} name={nameOf(claim.affiliate)} />
        ))}
      </ol>
      {payments.length === MAX_CLAIMED_PAYMENTS && (
        <p className="pt-3 text-table text-muted">{texts.payments_most(MAX_CLAIMED_PAYMENTS)}</p>
      )}
    </>
  );
}

function Payment({ payment, name }: { payment: ClaimedPayment; name: string }) {
  const { home } = useSession();
  const { id, paid_at, revenue_amount, currency, outcome, is_near, own_candidate, affiliate } = payment;
  const { commission_amount } = payment;
  return (
    <li className="grid min-w-0 grid-cols-1 gap-1.5 border-line py-3 not-first:border-t first:pt-0 last:pb-0">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
        <p className="flex flex-wrap items-baseline gap-x-3">
          <span className="font-medium">
            <Money amount={revenue_amount} currency={currency} />
          </span>
          <span className="text-table text-muted">
            <Time at={paid_at} />
          </span>
          {is_near && <span className="rounded-control bg-pick px-1.5 text-meta">{texts.near}</span>}
        </p>
        <Link to={`${home}/payments/${id}`} className="text-table text-accent underline">
          {texts.why}
          <span className="sr-only"> {paid_at}</span>
        </Link>
      </div>
      <div className="flex flex-wrap items-baseline gap-x-2 text-table">
        <State tone={toneOf(outcome)}>{labels[outcome]}</State>
        {commission_amount > 0 && <Money amount={commission_amount} currency={currency} />}
        {affiliate !== null && (
          <Link to={`${home}/affiliates/${affiliate.id}`} className="min-w-0 truncate text-accent underline">
            <bdi>{nameOf(affiliate)}</bdi>
          </Link>
        )}
      </div>
      {own_candidate === null ? (
        <p className="text-table text-muted">
          <bdi>{texts.no_evidence(name)}</bdi>
        </p>
      ) : (
        <div className="rounded-control bg-sunk px-3 py-2">
          <Candidate candidate={own_candidate} />
        </div>
      )}
    </li>
  );
}
