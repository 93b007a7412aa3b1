import { Time } from "@findersfee/ui/components/values";
import { formatMoney } from "@findersfee/ui/formats/money";
import { useQuery } from "@tanstack/react-query";
import { useSession } from "../session/session.tsx";
import { adjustmentsQuery } from "./queries.ts";
import { adjustment_texts as texts } from "./texts.ts";

const NAMED = 3;

/** Which clawbacks and corrections are behind a negative balance; `otherwise`, if refunds of paid commissions alone are. */
export function CarriedForward({
  affiliate_id,
  due,
  currency,
  otherwise,
}: {
  affiliate_id: string;
  due: number;
  currency: string;
  otherwise: string;
}) {
  const session = useSession();
  const { data } = useQuery(adjustmentsQuery(session, { affiliate_id }));
  const taken = (data?.adjustments ?? []).filter(
    (one) => one.currency === currency && one.amount < 0 && one.payout_status === "not_paid",
  );
  if (data === undefined) return null;
  if (taken.length === 0) return <p className="text-table text-muted">{otherwise}</p>;
  return (
    <p className="text-table">
      {texts.carried_forward(formatMoney(due, currency))}{" "}
      {taken.slice(0, NAMED).map(({ id, reason, created_at }, index) => (
        <span key={id}>
          {index > 0 && "; "}
          <bdi className="wrap-anywhere">{reason}</bdi>, <Time at={created_at} show="day" />
        </span>
      ))}
      {taken.length > NAMED && ` ${texts.and_more}`}
    </p>
  );
}
