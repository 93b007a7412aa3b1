import { Button } from "@findersfee/ui/components/button";
import { Card } from "@findersfee/ui/components/card";
import { Money, Time } from "@findersfee/ui/components/values";
import { Link } from "@findersfee/ui/navigation";
import { lazyPart } from "@findersfee/ui/requests/lazy-part";
import { useQuery } from "@tanstack/react-query";
import { Suspense, useState } from "react";
import { useMay, useSession } from "../session/session.tsx";
import { type Adjustment, adjustmentsQuery } from "./queries.ts";
import { adjustment_texts as texts } from "./texts.ts";
import { useSetAdjustment } from "./use-adjust.ts";

const AdjustDialog = lazyPart(() => import("./adjust-dialog.tsx"), "AdjustDialog");

export interface AdjustmentsCardProps {
  /** The affiliate or the commission of the adjustments. */
  of: { affiliate_id: string } | { commission_id: string };
  /** A person may add some. */
  can_add?: boolean;
}

/** The latest adjustments. Without any and without a button for them, there is no card. */
export function AdjustmentsCard({ of, can_add = false }: AdjustmentsCardProps) {
  const session = useSession();
  const { data } = useQuery(adjustmentsQuery(session, of));
  const may_change = useMay("admin");
  const [adding, setAdding] = useState(false);
  const { run, busy } = useSetAdjustment();
  const adds = can_add && may_change && "affiliate_id" in of;
  const adjustments = data?.adjustments ?? [];
  if (adjustments.length === 0 && !adds) return null;
  return (
    <Card title={texts.title} beside={adds && <Button onClick={() => setAdding(true)}>{texts.add}</Button>}>
      {data !== undefined && adjustments.length === 0 && (
        <p className="text-table text-muted">{texts.none}</p>
      )}
      {adjustments.length > 0 && (
        <ul className="-my-2 divide-y divide-line">
          {adjustments.map((adjustment) => (
            <Line
              key={adjustment.id}
              adjustment={adjustment}
              home={"affiliate_id" in of ? session.home : null}
              onChange={may_change ? (status) => run(adjustment.id, status) : null}
              busy={busy}
            />
          ))}
        </ul>
      )}
      {data?.has_more && <p className="pt-2 text-table text-muted">{texts.all}</p>}
      <Suspense>
        {adding && adds && (
          <AdjustDialog affiliate_id={of.affiliate_id} commission={null} onClose={() => setAdding(false)} />
        )}
      </Suspense>
    </Card>
  );
}

interface LineProps {
  adjustment: Adjustment;
  /** Null: without a link to its commission. */
  home: string | null;
  /** Null: this person may not. */
  onChange: ((status: "voided" | "not_paid") => void) | null;
  busy: boolean;
}

function Line({ adjustment, home, onChange, busy }: LineProps) {
  const { reason, amount, currency, payout_status, commission_id, created_at } = adjustment;
  const is_voided = payout_status === "voided";
  return (
    <li className="flex flex-wrap items-start gap-x-4 gap-y-1 py-2 text-table">
      <span className="min-w-0 flex-1 basis-50">
        <span dir="auto" className="block wrap-anywhere">
          {reason}
        </span>
        <span className="text-muted">
          <Time at={created_at} show="day" /> · {stateOf(adjustment)}
          {commission_id !== null && home !== null && (
            <>
              {" · "}
              <Link to={`${home}/commissions/${commission_id}`} className="underline underline-offset-2">
                {texts.of_commission}
              </Link>
            </>
          )}
        </span>
      </span>
      <span className={`tabular-nums ${is_voided ? "text-muted line-through" : "font-medium"}`}>
        <Money amount={amount} currency={currency} />
      </span>
      {onChange !== null && (payout_status === "not_paid" || is_voided) && (
        <Button className="ml-auto" busy={busy} onClick={() => onChange(is_voided ? "not_paid" : "voided")}>
          {is_voided ? texts.restore : texts.withdraw}
        </Button>
      )}
    </li>
  );
}

/** An amount that was taken is not due or paid out, but deducted. */
function stateOf({ amount, payout_status }: Adjustment): string {
  const is_deducted = amount < 0 && (payout_status === "not_paid" || payout_status === "paid");
  return is_deducted ? texts.deductions[payout_status] : texts.states[payout_status];
}
