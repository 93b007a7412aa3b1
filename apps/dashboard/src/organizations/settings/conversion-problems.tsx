import { useClock } from "@findersfee/ui/components/clock";
import { State } from "@findersfee/ui/components/state";
import { formatDay } from "@findersfee/ui/formats/dates";
import { Link } from "@findersfee/ui/navigation";
import { useSession } from "../../session/session.tsx";
import { currency_texts as texts } from "./currency-texts.ts";
import type { ExchangeRates } from "./queries.ts";

/** The missing rates of an organization that converts amounts. Nothing for others. */
export function ConversionProblems({ conversion }: Pick<ExchangeRates, "conversion">) {
  const { home } = useSession();
  const clock = useClock();
  if (conversion === null) return null;
  const { newest_day, is_stale, waiting_payments, fetch_error } = conversion;
  const day = newest_day === null ? null : formatDay(new Date(newest_day), { ...clock, time_zone: "UTC" });
  return (
    <div className="grid gap-2">
      {is_stale ? (
        <State tone="warning">{day === null ? texts.none_known : texts.stale(day)}</State>
      ) : (
        <State tone="done">{texts.up_to_date}</State>
      )}
      {fetch_error !== null && (
        <div>
          <State tone="failed">{texts.fetch_failed}</State>
          <p className="text-table wrap-anywhere text-muted">{texts.fetch_error(fetch_error)}</p>
        </div>
      )}
      {waiting_payments > 0 && (
        <p className="flex flex-wrap items-center gap-x-3">
          <State tone="waiting">{texts.waiting(waiting_payments)}</State>
          <Link to={`${home}/payments?outcome=exchange_rate_missing`} className="text-accent underline">
            {texts.show}
          </Link>
        </p>
      )}
    </div>
  );
}
