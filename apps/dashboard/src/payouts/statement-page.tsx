import { Button } from "@findersfee/ui/components/button";
import { Fact, Facts } from "@findersfee/ui/components/card";
import { Money, Untrusted } from "@findersfee/ui/components/values";
import { formatMoney } from "@findersfee/ui/formats/money";
import { Page } from "@findersfee/ui/shell/page";
import { getRouteApi } from "@tanstack/react-router";
import { Printer } from "lucide-react";
import { useSession } from "../session/session.tsx";
import { monthOf } from "./month.ts";
import { payout_texts } from "./payout-texts.ts";
import type { Payout } from "./queries.ts";
import { texts } from "./texts.ts";
import { WithPayout } from "./with-payout.tsx";

const route = getRouteApi("/o/$slug/payouts/$id/statement");

/** A payout's statement for its affiliate, which prints on paper. */
export function StatementPage() {
  const { id } = route.useParams();
  return <WithPayout id={id}>{(payout) => <Statement payout={payout} />}</WithPayout>;
}

/** A statement shows the same wherever it is printed: days are those of UTC, as the months of runs are. */
function dayOf(at: string): string {
  return new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeZone: "UTC" }).format(new Date(at));
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
        <p className="text-meta text-muted">{payout_texts.days_in_utc}</p>
      </div>
    </Page>
  );
}

function StatementFacts({ payout, organization_name }: { payout: Payout; organization_name: string }) {
  const { affiliate_name, payout_email, created_at, status, status_at, reference } = payout;
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

function StatementLines({ payout: { lines, payment_count, amount, currency } }: { payout: Payout }) {
  return (
    <table className="w-full border-collapse text-table">
      <thead>
        <tr className="border-b border-rule text-left text-meta text-muted">
          <th scope="col" className="py-1 pr-3 font-medium">
            {payout_texts.date}
          </th>
          <th scope="col" className="py-1 pr-3 font-medium">
            {payout_texts.customer}
          </th>
          <th scope="col" className="py-1 pr-3 text-right font-medium max-wide:hidden">
            {payout_texts.revenue}
          </th>
          <th scope="col" className="py-1 text-right font-medium whitespace-nowrap">
            {payout_texts.commission}
          </th>
        </tr>
      </thead>
      <tbody>
        {lines.map((line) => (
          <tr key={line.commission_id} className="break-inside-avoid border-b border-line align-top">
            <td className="py-1.5 pr-3 whitespace-nowrap text-muted">{dayOf(line.referral_date)}</td>
            <td className="py-1.5 pr-3">
              <Untrusted>{line.statement_customer}</Untrusted>
              {line.reversal_of !== null && <span className="text-muted">{payout_texts.reversal}</span>}
            </td>
            <td className="py-1.5 pr-3 text-right text-muted max-wide:hidden">
              <Money amount={line.revenue_amount} currency={currency} />
            </td>
            <td className="py-1.5 text-right">
              <Money amount={line.commission_amount} currency={currency} />
            </td>
          </tr>
        ))}
        {payment_count > lines.length && (
          <tr>
            <td colSpan={4} className="py-1.5 text-muted">
              {payout_texts.more_lines(payment_count - lines.length)}
            </td>
          </tr>
        )}
      </tbody>
      <tfoot>
        <tr className="border-t border-rule font-semibold">
          <th scope="row" colSpan={2} className="py-2 text-left">
            {payout_texts.sum}
          </th>
          <td className="max-wide:hidden" />
          <td className="py-2 text-right">
            <Money amount={amount} currency={currency} />
          </td>
        </tr>
      </tfoot>
    </table>
  );
}
