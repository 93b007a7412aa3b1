import { type Bar, Bars } from "@findersfee/ui/charts/bars";
import { State } from "@findersfee/ui/components/state";
import { Money, Untrusted } from "@findersfee/ui/components/values";
import { formatMoney } from "@findersfee/ui/formats/money";
import { Link } from "@findersfee/ui/navigation";
import { type UseQueryResult, useQuery } from "@tanstack/react-query";
import { nameOf } from "../../affiliates/name.ts";
import { OUTCOME_GROUPS } from "../../attribution/outcome-groups.ts";
import { labels, toneOf } from "../../attribution/outcome-texts.ts";
import { paymentCountsQuery } from "../../attribution/queries.ts";
import { texts as payment_texts } from "../../attribution/texts.ts";
import { useSession } from "../../session/session.tsx";
import { balanceTotalsQuery, convertedBalancesQuery, type Overview } from "./queries.ts";
import { DEFAULT_PERIOD } from "./range.ts";
import { Section } from "./section.tsx";
import { texts } from "./texts.ts";

/** Counting stops there. */
const MOST_COUNTED = 1000;

interface CardsProps {
  query: UseQueryResult<Overview>;
  currency: string;
  period: string | undefined;
}

/** The balances, the payments without a commission, and the top affiliates. */
export function Cards({ query, currency, period }: CardsProps) {
  return (
    <div className="grid gap-4 full:grid-cols-3">
      <MoneyCard currency={currency} />
      <UnpaidCard period={period} />
      <TopCard query={query} />
    </div>
  );
}

/** The balances of affiliates in one currency. */
function MoneyCard({ currency }: { currency: string }) {
  const query = useQuery(balanceTotalsQuery(useSession()));
  return (
    <Section title={texts.money} query={query}>
      {(totals) => {
        const total = totals.find((item) => item.currency === currency);
        if (total === undefined) return <p className="text-muted">{texts.no_money}</p>;
        const barOf = (id: string, label: string, value: number, tone: Bar["tone"] = "accent") => ({
          id,
          label,
          value,
          text: formatMoney(value, currency),
          tone,
        });
        return (
          <>
            <Bars
              label={texts.money}
              bars={[
                barOf("held", texts.held, total.held, "warn"),
                barOf("due", texts.balance_due, total.due),
                barOf("in_payout", texts.in_payout, total.in_payout, "info"),
              ]}
            />
            {totals.length > 1 && <AllCurrencies />}
          </>
        );
      }}
    </Section>
  );
}

/** The balances in all currencies together. */
function AllCurrencies() {
  const { data } = useQuery(convertedBalancesQuery(useSession()));
  if (data === undefined) return null;
  const { total, currency, missing_rates } = data;
  return (
    <p className="mt-3 text-table text-muted">
      {texts.all_currencies(formatMoney(total, currency), missing_rates)}
    </p>
  );
}

const ORDER = { fixable: 0, rules: 1, nobody: 2, earned: 3 };
const MOST_SHOWN = 5;

/** The outcomes of payments without a commission: first those that a person can fix. */
function UnpaidCard({ period = DEFAULT_PERIOD }: { period: string | undefined }) {
  const session = useSession();
  const query = useQuery(paymentCountsQuery(session, period));
  const list = `${session.home}/payments`;
  return (
    <Section
      title={texts.without}
      query={query}
      beside={
        <Link to={`${list}?period=${period}`} className="shrink-0 text-table text-accent hover:underline">
          {texts.all_payments}
        </Link>
      }
    >
      {(counts) => {
        const shown = counts
          .filter(({ outcome, count }) => outcome !== "commission" && count > 0)
          .sort(
            (a, b) =>
              ORDER[OUTCOME_GROUPS[a.outcome]] - ORDER[OUTCOME_GROUPS[b.outcome]] || b.count - a.count,
          )
          .slice(0, MOST_SHOWN);
        if (shown.length === 0) return <p className="text-muted">{texts.no_payments}</p>;
        return (
          <ul className="grid gap-1">
            {shown.map(({ outcome, count }) => (
              <li key={outcome}>
                <Link
                  to={`${list}?outcome=${outcome}&period=${period}`}
                  className="-mx-2 flex min-h-8 items-center gap-3 rounded-control px-2 text-table hover:bg-hover max-wide:min-h-11"
                >
                  <span className="min-w-0 flex-1">
                    <State tone={toneOf(outcome)}>{labels[outcome]}</State>
                  </span>
                  <span className="font-medium tabular-nums">{payment_texts.count(count, MOST_COUNTED)}</span>
                  <span className="w-12 text-right text-accent">
                    {OUTCOME_GROUPS[outcome] === "fixable" ? texts.fix : texts.why} <span aria-hidden>→</span>
                  </span>
                </Link>
              </li>
            ))}
          </ul>
        );
      }}
    </Section>
  );
}

/** The affiliates with the most revenue. */
function TopCard({ query }: { query: UseQueryResult<Overview> }) {
  const { home } = useSession();
  return (
    <Section
      title={texts.top}
      query={query}
      beside={
        <span className="flex gap-3 text-table text-muted">
          {texts.top_hint}
          <Link to={`${home}/performance`} className="shrink-0 text-accent hover:underline">
            {texts.performance}
          </Link>
        </span>
      }
    >
      {({ top, currency }) =>
        top.length === 0 ? (
          <p className="text-muted">{texts.no_top}</p>
        ) : (
          <ol className="grid gap-1">
            {top.map(({ affiliate, revenue_amount }) => (
              <li key={affiliate.id}>
                <Link
                  to={`${home}/affiliates/${affiliate.id}`}
                  className="-mx-2 flex min-h-8 items-center gap-3 rounded-control px-2 text-table hover:bg-hover max-wide:min-h-11"
                >
                  <span className="min-w-0 flex-1 font-medium">
                    <Untrusted lines={1}>{nameOf(affiliate)}</Untrusted>
                  </span>
                  <Money amount={revenue_amount} currency={currency} />
                </Link>
              </li>
            ))}
          </ol>
        )
      }
    </Section>
  );
}
