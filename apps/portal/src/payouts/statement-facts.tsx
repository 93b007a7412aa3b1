import type { ReactNode } from "react";
import { useTexts } from "../language/language.tsx";
import { useFormats } from "../language/use-formats.ts";
import type { Statement } from "./queries.ts";
import { useStatementDay } from "./use-statement-day.ts";

/** The payer, the payee, the amount and the dates. */
export function StatementFacts({ statement }: { statement: Statement }) {
  const { payouts } = useTexts();
  const { month, money } = useFormats();
  const { organization, affiliate, amount, currency, period, status, status_at, created_at, id } = statement;
  const day = useStatementDay(statement.time_zone);
  return (
    <dl className="grid gap-x-8 gap-y-4 border-y border-line py-5 text-table tablet:grid-cols-2 print:grid-cols-2">
      <Fact label={payouts.from}>
        <Name>{organization.name}</Name>
        {organization.support_email !== null && <Name muted>{organization.support_email}</Name>}
      </Fact>
      <Fact label={payouts.to}>
        <Name>{affiliate.name}</Name>
        {affiliate.payout_email !== null && <Name muted>{affiliate.payout_email}</Name>}
      </Fact>
      <Fact label={payouts.amount}>
        <span className="text-lead font-semibold tabular-nums">{money(amount, currency)}</span>
      </Fact>
      <Fact label={payouts.status}>
        {payouts.statuses[status](day(status_at))}
        {(status === "failed" || status === "canceled") && (
          <span className="block text-muted">{payouts.again}</span>
        )}
      </Fact>
      <Fact label={payouts.period}>
        {month(period)}
        <span className="block text-muted">{payouts.issued(day(created_at))}</span>
      </Fact>
      <Fact label={payouts.number}>
        <code className="font-mono text-meta break-all">{id}</code>
      </Fact>
    </dl>
  );
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="min-w-0">
      <dt className="text-muted">{label}</dt>
      <dd className="min-w-0">{children}</dd>
    </div>
  );
}

/** A name of any length, in any direction. */
function Name({ muted = false, children }: { muted?: boolean; children: string }) {
  return (
    <span
      dir="auto"
      className={`line-clamp-3 text-left wrap-anywhere print:line-clamp-12 ${muted ? "text-muted" : "font-medium"}`}
      title={children.slice(0, 500)}
    >
      {children}
    </span>
  );
}
