import { Money } from "@findersfee/ui/components/values";
import { formatMoney } from "@findersfee/ui/formats/money";
import { Link } from "@findersfee/ui/navigation";
import type { ListAddress } from "../lists/use-list-address.ts";
import type { Summary } from "./queries.ts";
import { texts } from "./texts.ts";

/** In the order of the preview. */
export const PREVIEW_OUTCOMES = [
  "included",
  "held",
  "below_minimum",
  "negative",
  "withheld",
  "rate_missing",
] as const;

/** Absent if no rate is missing. */
const NONE = { payees: 0, amount: 0 };

type Total = Summary["totals"][number];
type Address = ListAddress<"part" | "currency">;

/** The amounts that the next run pays and defers, with a card for each currency: currencies are never added up. */
export function SummaryCards({ totals, address }: { totals: readonly Total[]; address: Address }) {
  if (totals.length === 0) return null;
  const columns = totals.length === 1 ? "" : "full:grid-cols-2";
  return (
    <div className={`grid grid-cols-1 gap-4 pt-2 pb-3 ${columns}`}>
      {totals.map((total) => (
        <SummaryCard key={total.currency} total={total} address={address} is_only={totals.length === 1} />
      ))}
    </div>
  );
}

function SummaryCard({ total, address, is_only }: { total: Total; address: Address; is_only: boolean }) {
  const largest = Math.max(
    ...PREVIEW_OUTCOMES.map((part) => Math.abs((total[part] ?? NONE).amount)),
    Number.MIN_VALUE,
  );
  return (
    <section aria-label={total.currency} className="min-w-0 rounded-card border border-line px-2 py-2">
      {!is_only && <h2 className="px-2 pt-1 pb-1 text-meta font-medium text-muted">{total.currency}</h2>}
      <ul>
        {PREVIEW_OUTCOMES.filter((part) => part === "included" || (total[part] ?? NONE).payees > 0).map(
          (part) => (
            <li key={part}>
              <Line
                part={part}
                total={total}
                address={address}
                is_only={is_only}
                share={Math.abs((total[part] ?? NONE).amount) / largest}
              />
            </li>
          ),
        )}
      </ul>
    </section>
  );
}

interface LineProps {
  part: (typeof PREVIEW_OUTCOMES)[number];
  total: Total;
  address: Address;
  /** The only card has room for the bar beside the text. */
  is_only: boolean;
  share: number;
}

const FILLS = {
  included: "fill-accent",
  held: "fill-warn",
  below_minimum: "fill-muted",
  negative: "fill-bad",
  withheld: "fill-muted",
  rate_missing: "fill-warn",
} as const;

function Line({ part, total, address, is_only, share }: LineProps) {
  const { currency, minimum } = total;
  const { payees, amount } = total[part] ?? NONE;
  const hint =
    part === "below_minimum" && minimum > 0
      ? texts.minimum(formatMoney(minimum, currency))
      : texts.part_hints[part];
  const tone = payees === 0 ? "text-muted" : part === "included" ? "font-medium" : "";
  const columns = is_only
    ? "wide:grid-cols-[minmax(0,220px)_100px_minmax(112px,auto)_minmax(48px,1fr)]"
    : "wide:grid-cols-[minmax(0,1fr)_auto_minmax(112px,auto)]";
  return (
    <Link
      to={address.hrefWith({ part, currency, rows: address.search.rows })}
      className={`grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 gap-y-1 rounded-control px-2 py-1.5 text-table hover:bg-hover ${columns} ${tone}`}
    >
      <span className="min-w-0">
        {texts.parts[part]}
        {hint !== "" && payees > 0 && <span className="font-normal text-muted"> · {hint}</span>}
      </span>
      <span className="font-normal text-muted tabular-nums max-wide:hidden">{texts.affiliates(payees)}</span>
      <span className="text-right">
        <Money amount={amount} currency={currency} />
      </span>
      <svg
        aria-hidden="true"
        width="100%"
        height="6"
        className={`rounded-full max-wide:col-span-2 ${is_only ? "" : "wide:col-span-3"}`}
      >
        <rect width="100%" height="6" rx="3" className="fill-hover" />
        <rect width={`${share * 100}%`} height="6" rx="3" className={FILLS[part]} />
      </svg>
    </Link>
  );
}
