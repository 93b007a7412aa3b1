import { Button } from "@findersfee/ui/components/button";
import { Fact, Facts } from "@findersfee/ui/components/card";
import { useClock } from "@findersfee/ui/components/clock";
import { Money, Untrusted } from "@findersfee/ui/components/values";
import { formatFullDay } from "@findersfee/ui/formats/dates";
import { formatMoney } from "@findersfee/ui/formats/money";
import { lazyPart } from "@findersfee/ui/requests/lazy-part";
import { Page } from "@findersfee/ui/shell/page";
import { getRouteApi } from "@tanstack/react-router";
import { Printer } from "lucide-react";
import { Suspense } from "react";
import { leadName } from "../attribution/lead-texts.ts";
import { Breakdown } from "../lists/breakdown.tsx";
import { useSession } from "../session/session.tsx";
import { monthOf } from "./month.ts";
import { payout_texts } from "./payout-texts.ts";
import type { Payout } from "./queries.ts";
import { texts } from "./texts.ts";
import { WithPayout } from "./with-payout.tsx";

/** Few payouts have some. */
const Conversions = lazyPart(() => import("./conversions.tsx"), "Conversions");

const route = getRouteApi("/o/$slug/payouts/$id/statement");

/** A payout's statement for its affiliate, which prints on paper. */
export function StatementPage() {
  const { id } = route.useParams();
  return <WithPayout id={id}>{(payout) => <Statement payout={payout} />}</WithPayout>;
}

/** A statement is the same wherever it is printed: its days, and its month, are in the run's time zone. */
function useDayOf({ time_zone }: Payout): (at: string) => string {
  const clock = useClock();
  return (at) => formatFullDay(new Date(at), { ...clock, time_zone });
}

function Statement({ payout }: { payout: Payout }) {
  const { home, organization } = useSession();
  const { id, affiliate_name, amount, currency, period } = payout;
  const title = payout_texts.statement_title;
  return (
    <Page
      title={`${title}, ${monthOf(period)}`}
      document_title={`${title} ${period} · ${affiliate_name}`}
      parent={{
        to: `${home}/payouts/${id}`,
        label: payout_texts.payout_to(formatMoney(amount, currency), affiliate_name),
      }}
      width="text"
      actions={
        <span className="print:hidden">
          <Button onClick={() => window.print()}>
            <Printer aria-hidden size={14} />
            {payout_texts.print}
          </Button>
        </span>
      }
    >
      <div className="grid grid-cols-1 gap-6 pt-2 pb-12">
        <StatementFacts payout={payout} organization_name={organization.name} />
        <StatementLines payout={payout} />
        <Suspense>{payout.conversions !== undefined && <Conversions payout={payout} />}</Suspense>
        <p className="text-meta text-muted">{payout_texts.days_in(payout.time_zone)}</p>
      </div>
    </Page>
  );
}

function StatementFacts({ payout, organization_name }: { payout: Payout; organization_name: string }) {
  const { affiliate_name, payout_email, created_at, status, status_at, reference } = payout;
  const dayOf = useDayOf(payout);
  return (
    <Facts>
      <Fact label={payout_texts.from}>
        <Untrusted>{organization_name}</Untrusted>
      </Fact>
      <Fact label={texts.to}>
        <Untrusted>{affiliate_name}</Untrusted>
      </Fact>
      <Fact label={payout_texts.paid_to}>
        <Untrusted>{payout_email ?? "—"}</Untrusted>
      </Fact>
      <Fact label={payout_texts.issued}>{dayOf(created_at)}</Fact>
      <Fact label={texts.status}>
        {status === "paid"
          ? `${payout_texts.paid_on} ${dayOf(status_at)}`
          : status === "pending" || status === "processing"
            ? payout_texts.not_paid_yet
            : texts.statuses[status]}
      </Fact>
      <Fact label={payout_texts.reference}>
        <code className="font-mono text-meta">{reference}</code>
      </Fact>
    </Facts>
  );
}

function StatementLines({ payout }: { payout: Payout }) {
  const { lines, payment_count, amount, currency } = payout;
  const dayOf = useDayOf(payout);
  return (
    <Breakdown
      rows={lines}
      keyOf={({ id }) => id}
      columns={[
        {
          header: payout_texts.date,
          cell: ({ referral_date }) => <span className="whitespace-nowrap">{dayOf(referral_date)}</span>,
          muted: true,
        },
        {
          header: payout_texts.source,
          cell: ({ statement_customer, reversal_of, lead, recruit, adjustment }) => (
            <>
              <Untrusted>{adjustment?.reason ?? statement_customer ?? ""}</Untrusted>
              {recruit !== null && <span>{payout_texts.of_recruit(recruit.name)}</span>}{" "}
              {lead !== null && <span className="text-muted">{leadName(lead)}</span>}{" "}
              {reversal_of !== null && <span className="text-muted">{payout_texts.reversal}</span>}
              {adjustment !== null && <span className="text-muted">{payout_texts.adjustment}</span>}
            </>
          ),
        },
        {
          header: payout_texts.revenue,
          cell: (line) =>
            line.revenue_amount === null ? null : (
              <Money amount={line.revenue_amount} currency={line.currency ?? currency} />
            ),
          align: "end",
          muted: true,
          roomy: true,
        },
        {
          header: payout_texts.amount,
          cell: (line) => <Money amount={line.amount} currency={line.currency ?? currency} />,
          align: "end",
        },
      ]}
      more={payment_count > lines.length ? payout_texts.more_lines(payment_count - lines.length) : null}
      sum={{ label: payout_texts.sum, amount: <Money amount={amount} currency={currency} /> }}
    />
  );
}
