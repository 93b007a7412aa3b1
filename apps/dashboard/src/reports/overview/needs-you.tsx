import { useClock } from "@findersfee/ui/components/clock";
import { Time } from "@findersfee/ui/components/values";
import { formatDay } from "@findersfee/ui/formats/dates";
import { Link } from "@findersfee/ui/navigation";
import { useQuery } from "@tanstack/react-query";
import { CircleCheck } from "lucide-react";
import { amountsOf, homeFirst } from "../../payouts/amounts.ts";
import { type Connection, connectionsQuery } from "../../processors/connections/queries.ts";
import { brokenState } from "../../processors/connections/state.tsx";
import { texts as connection_texts } from "../../processors/connections/texts.ts";
import { IDLE_MILLISECONDS } from "../../requests/live.ts";
import { useMay, useSession } from "../../session/session.tsx";
import { type Attention, attentionQuery } from "../attention.ts";
import { countOf, Detail, type Need } from "./need.tsx";
import { type BalanceTotals, balanceTotalsQuery } from "./queries.ts";
import { Section } from "./section.tsx";
import { setupNeeds } from "./setup-needs.tsx";
import { texts } from "./texts.ts";

const DOTS = { bad: "bg-bad", warn: "bg-warn", info: "bg-info" };

/** The tasks that need a person, most urgent first. */
export function NeedsYou() {
  const session = useSession();
  const attention = useQuery(attentionQuery(session));
  const balances = useQuery(balanceTotalsQuery(session));
  return (
    <Section title={useMay("admin") ? texts.needs_you : texts.waits} query={attention} rows={2}>
      {(data) => <Needs attention={data} balances={balances.data ?? []} />}
    </Section>
  );
}

function Needs({ attention, balances }: { attention: Attention; balances: BalanceTotals }) {
  const session = useSession();
  const { data: connections } = useQuery({
    ...connectionsQuery(session),
    refetchInterval: IDLE_MILLISECONDS,
  });
  const needs = [...stripeNeeds(connections ?? [], session.home), ...useNeeds(attention, balances)];
  const may_decide = useMay("admin");
  if (needs.length === 0) {
    return (
      <p className="flex items-center gap-2 text-muted">
        <CircleCheck aria-hidden size={16} className="text-good" />
        {may_decide ? texts.nothing_needed : texts.nothing_waits}
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
  const { home, organization } = useSession();
  const may_decide = useMay("admin");
  const clock = useClock();
  const { next_run_on } = attention;
  const day = next_run_on === null ? null : formatDay(new Date(next_run_on), { ...clock, time_zone: "UTC" });
  return [
    ...setupNeeds(attention, home),
    ...reviewNeeds(attention, { home, may_decide }),
    ...attention.failing_endpoints.map((endpoint) => endpointNeed(endpoint, home)),
    ...hostNeeds("portal", attention.portal_host, home),
    ...hostNeeds("link", attention.link_host, home),
    ...attention.unreachable_hosts.map((unreachable) => unreachableHost(unreachable, home)),
    ...processorNeeds(attention, home),
    ...mailNeeds(attention.mails_awaiting_quota, home),
    ...conversionNeeds(attention.conversion, home),
    ...withheldNeeds(attention, { home, may_decide }),
    ...payoutNeeds(balances, {
      affiliates: attention.due_affiliates,
      home,
      run: day === null ? texts.no_run : texts.next_run(day, organization.time_zone),
      currency: organization.currency,
    }),
  ];
}

/** Applications, claims and commissions, which wait for a decision. */
function reviewNeeds(
  { applications, claims, reviews: commissions }: Attention,
  { home, may_decide }: { home: string; may_decide: boolean },
): Need[] {
  const reviews = [
    { id: "applications" as const, to: `${home}/affiliates/waiting`, ...applications },
    { id: "claims" as const, to: `${home}/claims?state=open`, ...claims },
    { id: "reviews" as const, to: `${home}/commissions/review`, ...commissions },
  ];
  return reviews
    .filter(({ count }) => count > 0)
    .map(({ id, to, count, oldest_at }) => ({
      id,
      tone: "info",
      to,
      action: may_decide ? texts.review : texts.look,
      text: (
        <>
          {texts[id](countOf(count), count === 1)}
          {oldest_at !== null && (
            <Detail>
              {texts.oldest} <Time at={oldest_at} show="relative" />
            </Detail>
          )}
        </>
      ),
    }));
}

function endpointNeed(
  { endpoint_id, url, failing_since, pending }: Attention["failing_endpoints"][number],
  home: string,
): Need {
  return {
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
  };
}

/** A host name of the portal or of links without its record, which links of affiliates may lead to. */
function hostNeeds(use: "portal" | "link", failing: Attention["portal_host"], home: string): Need[] {
  if (failing === null) return [];
  const { host, served_until } = failing;
  const words = texts.hosts[use];
  return [
    {
      id: `${use}_host`,
      tone: "bad",
      to: `${home}/settings/portal`,
      action: texts.look,
      text: (
        <>
          {words.unproven(host)}
          <Detail>
            {served_until === null ? (
              words.not_served
            ) : (
              <>
                {words.served_until} <Time at={served_until} />
              </>
            )}
          </Detail>
        </>
      ),
    },
  ];
}

/** A custom domain at which the service has stopped answering. */
function unreachableHost({ use, host, since }: Attention["unreachable_hosts"][number], home: string): Need {
  return {
    id: `unreachable_${use}_host`,
    tone: "bad",
    to: `${home}/settings/portal`,
    action: texts.look,
    text: (
      <>
        {texts.hosts[use].unreachable(host)}
        <Detail>
          {texts.since} <Time at={since} show="relative" />; {texts.unreachable_hint}
        </Detail>
      </>
    ),
  };
}

/** Messages and promo codes that a processor's connection could not handle. */
function processorNeeds({ dead_lettered_messages, failed_promo_codes }: Attention, home: string): Need[] {
  const needs: Need[] = [];
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
  return needs;
}

/** The endpoint at Stripe that the service created, and somebody changed there. */
function stripeNeeds(connections: readonly Connection[], home: string): Need[] {
  return connections.flatMap((connection) => {
    const state = brokenState(connection);
    if (state === null) return [];
    return {
      id: `endpoint-${connection.name}`,
      tone: "bad",
      to: `${home}/connections/${connection.name}`,
      action: state === "failed" || state === "undeletable" ? texts.look : texts.repair,
      text: connection_texts.endpoint[state],
    };
  });
}

/** Emails, invitations among them, that nobody gets before the next day. */
function mailNeeds({ count, until }: Attention["mails_awaiting_quota"], home: string): Need[] {
  if (count === 0) return [];
  return [
    {
      id: "mails",
      tone: "warn",
      to: `${home}/settings/health`,
      action: texts.look,
      text: (
        <>
          {texts.mails_waiting(countOf(count), count === 1)}
          {until !== null && (
            <Detail>
              {texts.until} <Time at={until} show="relative" />
            </Detail>
          )}
        </>
      ),
    },
  ];
}

/** Payments that wait for an exchange rate, or will soon. */
function conversionNeeds(conversion: Attention["conversion"], home: string): Need[] {
  if (conversion === null) return [];
  const { is_stale, waiting_payments: count } = conversion;
  if (!is_stale && count === 0) return [];
  return [
    {
      id: "exchange_rates",
      tone: "warn",
      to: `${home}/settings/currencies`,
      action: texts.look,
      text: (
        <>
          {is_stale ? texts.stale_rates : texts.missing_rates}
          {count > 0 && <Detail>{texts.payments_wait(countOf(count), count === 1)}</Detail>}
        </>
      ),
    },
  ];
}

/** Money that no run pays until a person decides. */
function withheldNeeds(
  { stale_holds, owed_to_erased }: Attention,
  { home, may_decide }: { home: string; may_decide: boolean },
): Need[] {
  const needs = [
    { id: "stale_holds" as const, count: stale_holds },
    { id: "owed_to_erased" as const, count: owed_to_erased },
  ];
  return needs
    .filter(({ count }) => count > 0)
    .map(({ id, count }) => ({
      id,
      tone: "warn",
      to: `${home}/payouts/next?part=withheld`,
      action: may_decide ? texts.review : texts.look,
      text: texts[id](countOf(count), count === 1),
    }));
}

/** `affiliates`: the number of affiliates with an amount due. `run`: the start of the next run. */
function payoutNeeds(
  balances: BalanceTotals,
  { affiliates, home, run, currency }: { affiliates: number; home: string; run: string; currency: string },
): Need[] {
  const due = balances.filter((balance) => balance.due > 0);
  if (due.length === 0 || affiliates === 0) return [];
  const amounts = amountsOf(
    homeFirst(due, currency).map((balance) => ({ currency: balance.currency, amount: balance.due })),
  );
  return [
    {
      id: "due",
      tone: "info",
      to: `${home}/payouts/next`,
      action: texts.preview,
      text: (
        <>
          {texts.due(amounts, countOf(affiliates), affiliates === 1)}
          <Detail>{run}</Detail>
        </>
      ),
    },
  ];
}

function hostOf(url: string): string {
  // biome-ignore lint/plugin/swallowed-failure: throws only for text that is not a URL, which is shown as it is
  try {
    return new URL(url).host;
  } catch {
    return url;
  }
}
