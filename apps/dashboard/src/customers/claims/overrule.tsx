import { Button } from "@findersfee/ui/components/button";
import { lazyPart } from "@findersfee/ui/requests/lazy-part";
import { Suspense, useState } from "react";
import { nameOf } from "../../affiliates/name.ts";
import { useMay } from "../../session/session.tsx";
import type { ClaimDetail } from "./queries.ts";
import { texts } from "./texts.ts";
import { claimedPayment } from "./verdict.ts";

const MoveDialog = lazyPart(() => import("../../attribution/overrides/move-dialog.tsx"), "MoveDialog");
const CreditDialog = lazyPart(() => import("../../attribution/overrides/credit-dialog.tsx"), "CreditDialog");

/** Where another affiliate has the customer: moves it to the claiming one, or credits the claimed payment alone. */
export function Overrule({ detail }: { detail: ClaimDetail }) {
  const may_decide = useMay("admin");
  const [doing, setDoing] = useState<"move" | "credit" | null>(null);
  const { claim, customer } = detail;
  const payment = claimedPayment(detail);
  const obstacle = payment?.obstacle ?? null;
  const is_others = obstacle === "customer_of_other" || obstacle === "earned_by_other";
  if (!may_decide || payment === null || !is_others) return null;
  const affiliate = { value: claim.affiliate.id, label: nameOf(claim.affiliate) };
  const close = () => setDoing(null);
  return (
    <div className="flex flex-wrap gap-2 pt-2">
      {customer !== null && <Button onClick={() => setDoing("move")}>{texts.move}</Button>}
      {obstacle === "customer_of_other" && <Button onClick={() => setDoing("credit")}>{texts.credit}</Button>}
      <Suspense>
        {doing === "move" && customer !== null && (
          <MoveDialog
            referral={{ id: customer.referral_id, email: claim.email }}
            affiliate={affiliate}
            onClose={close}
          />
        )}
        {doing === "credit" && (
          <CreditDialog
            processor_payment_id={payment.processor_payment_id}
            affiliate={affiliate}
            onClose={close}
          />
        )}
      </Suspense>
    </div>
  );
}
