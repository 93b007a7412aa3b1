import { Button, ButtonLink } from "@findersfee/ui/components/button";
import { Card } from "@findersfee/ui/components/card";
import { Notice } from "@findersfee/ui/components/notice";
import { Untrusted } from "@findersfee/ui/components/values";
import { formatMoney } from "@findersfee/ui/formats/money";
import { lazyPart } from "@findersfee/ui/requests/lazy-part";
import { Page } from "@findersfee/ui/shell/page";
import { getRouteApi } from "@tanstack/react-router";
import { Suspense, useState } from "react";
import { HistoryLink } from "../audit-log/link/history-link.tsx";
import { useMay, useSession } from "../session/session.tsx";
import { MoveDialog } from "./dialogs.tsx";
import { monthOf } from "./month.ts";
import { PayoutLines } from "./payout-lines.tsx";
import { payout_texts } from "./payout-texts.ts";
import type { Payout } from "./queries.ts";
import { run_texts } from "./run-texts.ts";
import { PayoutStatus } from "./status.tsx";
import { texts } from "./texts.ts";
import { WithPayout } from "./with-payout.tsx";

const PayoutSide = lazyPart(() => import("./payout-side.tsx"), "PayoutSide");

const route = getRouteApi("/o/$slug/payouts/$id");

/** One payout, from its creation to its end. */
export function PayoutPage() {
  const { id } = route.useParams();
  return <WithPayout id={id}>{(payout) => <Detail payout={payout} />}</WithPayout>;
}

function Detail({ payout }: { payout: Payout }) {
  const { home, organization } = useSession();
  const { id, amount, currency, affiliate_name, status, run, period } = payout;
  const title = payout_texts.payout_to(formatMoney(amount, currency), affiliate_name);
  const parent =
    run === null
      ? { to: `${home}/payouts`, label: texts.title }
      : { to: `${home}/payouts/runs/${run.id}`, label: texts.run_of(monthOf(period), run.number) };
  return (
    <Page
      key={id}
      title={title}
      document_title={`${title} · ${organization.name}`}
      parent={parent}
      beside={
        <span className="text-table">
          <PayoutStatus status={status} />
        </span>
      }
      width="text"
      link={<HistoryLink of={id} />}
      actions={<Actions payout={payout} />}
    >
      <div className="grid grid-cols-1 items-start gap-4 pt-2 pb-12 full:grid-cols-[minmax(0,1fr)_320px]">
        <div className="grid min-w-0 grid-cols-1 gap-4">
          <Unpaid payout={payout} />
          <Card title={payout_texts.pays_for}>
            <PayoutLines payout={payout} />
          </Card>
        </div>
        <Suspense>
          <PayoutSide payout={payout} />
        </Suspense>
      </div>
    </Page>
  );
}

function Actions({ payout: { id, status } }: { payout: Payout }) {
  const { home } = useSession();
  const may_move = useMay("admin");
  const [moving, setMoving] = useState(false);
  const is_open = status === "pending" || status === "processing";
  const is_paid = status === "paid";
  return (
    <>
      {may_move && (is_open || is_paid) && (
        <Button onClick={() => setMoving(true)}>{is_paid ? run_texts.came_back : run_texts.mark}</Button>
      )}
      <ButtonLink to={`${home}/payouts/${id}/statement`}>{payout_texts.statement}</ButtonLink>
      <MoveDialog
        payouts={{ ids: [id] }}
        is_return={is_paid}
        open={moving}
        onClose={() => setMoving(false)}
      />
    </>
  );
}

/** The reason for a failed or canceled payout. */
function Unpaid({ payout: { status, status_reason, is_erased, affiliate } }: { payout: Payout }) {
  const { home } = useSession();
  if (status !== "failed" && status !== "canceled") return null;
  return (
    <Notice
      tone={status === "failed" ? "bad" : "info"}
      title={status === "failed" ? payout_texts.failed_because : payout_texts.canceled_because}
      {...(is_erased
        ? {
            actions: (
              <ButtonLink to={`${home}/affiliates/${affiliate.id}`}>{payout_texts.open_affiliate}</ButtonLink>
            ),
          }
        : {})}
    >
      <Untrusted>{status_reason ?? payout_texts.no_reason}</Untrusted>
      {is_erased ? payout_texts.released_erased : payout_texts.released}
    </Notice>
  );
}
