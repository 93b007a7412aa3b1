import { useClock } from "@findersfee/ui/components/clock";
import { Time } from "@findersfee/ui/components/values";
import { formatDay } from "@findersfee/ui/formats/dates";
import { formatMoney } from "@findersfee/ui/formats/money";
import { Link } from "@findersfee/ui/navigation";
import { useQuery } from "@tanstack/react-query";
import { CircleCheck } from "lucide-react";
import type { ReactNode } from "react";
import { useSession } from "../../session/session.tsx";
import { type Attention, attentionQuery } from "../attention.ts";
import { type BalanceTotals, balanceTotalsQuery } from "./queries.ts";
import { Section } from "./section.tsx";
import { texts } from "./texts.ts";

/** Counting stops there. */
const MOST = 1000;

const countOf = (count: number) => (count >= MOST ? `${texts.count(MOST - 1)}+` : texts.count(count));

interface Need {
  id: string;
  text: ReactNode;
  to: string;
  action: string;
  tone: "bad" | "warn" | "info";
}

const DOTS = { bad: "bg-bad", warn: "bg-warn", info: "bg-info" };

/** What waits for a person, in the order in which it hurts. */
export function NeedsYou() {
  const session = useSession();
  const attention = useQuery(attentionQuery(session));
  const balances = useQuery(balanceTotalsQuery(session));
  return (
    <Section title={texts.needs_you} query={attention} rows={2}>
      {(data) => <Needs attention={data} balances={balances.data ?? []} />}
    </Section>
  );
}

function Needs({ attention, balances }: { attention: Attention; balances: BalanceTotals }) {
  const needs = useNeeds(attention, balances);
  if (needs.length === 0) {
    return (
      <p className="flex items-center gap-2 text-muted">
        <CircleCheck aria-hidden size={16} className="text-good" />
        {texts.nothing_needed}
      </p>
    );
  }
  return (
    <ul className="-mx-4 -mb-4">
      {needs.map(({ id, text, to, action, tone }) => (
        <li key={id} className="border-t border-line">
          <Link
            to={to}
            className="flex min-h-11 items-center gap-3 px-4 py-2 hover:bg-hover focus-visible:-outline-offset-2 last:rounded-b-card"
          >
            <span aria-hidden className={`size-2 shrink-0 rounded-full ${DOTS[tone]}`} />
            <span className="min-w-0 flex-1 [overflow-wrap:anywhere]">{text}</span>
            <span className="shrink-0 text-table font-medium text-accent">
              {action} <span aria-hidden>→</span>
            </span>
          </Link>
        </li>
      ))}
    </ul>
  );
}

function useNeeds(attention: Attention, balances: BalanceTotals): Need[] {
  const { home } = useSession();
  const clock = useClock();
  const { applications, claims, failing_endpoints, dead_lettered_messages, failed_promo_codes, next_run_on } =
    attention;
  const needs: Need[] = [];
  if (applications.count > 0) {
    needs.push({
      id: "applications",
      tone: "info",
      to: `${home}/affiliates/waiting`,
      action: texts.review,
      text: (
        <>
          {texts.applications(countOf(applications.count), applications.count === 1)}
          {applications.oldest_at !== null && (
            <Detail>
              {texts.oldest} <Time at={applications.oldest_at} show="relative" />
            </Detail>
          )}
        </>
      ),
    });
  }
  if (claims.count > 0) {
    needs.push({
      id: "claims",
      tone: "info",
      to: `${home}/claims?state=open`,
      action: texts.review,
      text: (
        <>
          {texts.claims(countOf(claims.count), claims.count === 1)}
          {claims.oldest_at !== null && (
            <Detail>
              {texts.oldest} <Time at={claims.oldest_at} show="relative" />
            </Detail>
          )}
        </>
      ),
    });
  }
  for (const { endpoint_id, url, failing_since, pending } of failing_endpoints) {
    needs.push({
      id: endpoint_id,
      tone: "bad",
      to: `${home}/developers/webhooks/${endpoint_id}`,
      action: texts.look,
      text: (
        <>
          <span dir="ltr">{texts.failing(hostOf(url))}</span>
          <Detail>
            {texts.since} <Time at={failing_since} show="relative" />,{" "}
            {texts.pending(countOf(pending), pending === 1)}
          </Detail>
        </>
      ),
    });
  }
  if (dead_lettered_messages > 0) {
    needs.push({
      id: "messages",
      tone: "bad",
      to: `${home}/connections/messages?state=parked`,
      action: texts.look,
      text: texts.dead_lettered(countOf(dead_lettered_messages), dead_lettered_messages === 1),
    });
  }
  if (failed_promo_codes > 0) {
    needs.push({
      id: "promo-codes",
      tone: "warn",
      to: `${home}/connections/promo-codes`,
      action: texts.look,
      text: texts.promo_codes(countOf(failed_promo_codes), failed_promo_codes === 1),
    });
  }
  const due = balances.filter((balance) => balance.due > 0);
  if (due.length > 0) {
    const payees = Math.max(...due.map((balance) => balance.payees));
    const amounts = due.map((balance) => formatMoney(balance.due, balance.currency)).join(" + ");
    const day =
      next_run_on === null ? null : formatDay(new Date(next_run_on), { ...clock, time_zone: "UTC" });
    needs.push({
      id: "due",
      tone: "info",
      to: `${home}/payouts/next`,
      action: texts.preview,
      text: (
        <>
          {texts.due(amounts, texts.count(payees), payees === 1)}
          <Detail>{day === null ? texts.no_run : texts.next_run(day)}</Detail>
        </>
      ),
    });
  }
  return needs;
}

function Detail({ children }: { children: ReactNode }) {
  return <span className="text-muted">, {children}</span>;
}

function hostOf(url: string): string {
  // biome-ignore lint/plugin/swallowed-failure: throws only for text that is not a URL, which is shown as it is
  try {
    return new URL(url).host;
  } catch {
    return url;
  }
}
