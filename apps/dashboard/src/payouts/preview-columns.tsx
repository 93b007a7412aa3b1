import { Money, Time, Untrusted } from "@findersfee/ui/components/values";
import { formatMoney } from "@findersfee/ui/formats/money";
import type { Column } from "@findersfee/ui/lists/table";
import { TriangleAlert } from "lucide-react";
import type { PreviewRow, Summary } from "./queries.ts";
import { texts } from "./texts.ts";

/**
 * `totals` has the minimum of each currency. `has_portal`: whether affiliates can agree, which affiliates of
 * test data cannot.
 */
export function previewColumns(
  totals: Summary["totals"],
  has_portal: boolean,
): readonly Column<PreviewRow>[] {
  return [
    {
      id: "affiliate",
      header: texts.affiliate,
      cell: (row) => <Name row={row} has_portal={has_portal} />,
      narrow: "above",
      strong: true,
      width: "w-[22%]",
    },
    { id: "to", header: texts.pays_to, cell: (row) => <Address {...row} />, narrow: "below" },
    {
      id: "will-get",
      header: texts.will_get,
      cell: (row) => (row.outcome === "included" ? <WillGet {...row} /> : "—"),
      align: "end",
      narrow: "above-end",
      strong: true,
      width: "w-28",
    },
    {
      id: "lines",
      header: texts.lines,
      cell: ({ outcome, payment_count }) => (outcome === "included" ? payment_count : "—"),
      align: "end",
      width: "w-20",
      roomy: true,
    },
    {
      id: "stays-back",
      header: texts.stays_back,
      cell: (row) => (
        <StaysBack
          row={row}
          minimum={
            totals.find(({ currency }) => currency === (row.paid_in?.currency ?? row.currency))?.minimum ?? 0
          }
        />
      ),
      narrow: "below-end",
      width: "w-64",
    },
  ];
}

function Name({
  row: { affiliate_name, banned, agreement },
  has_portal,
}: {
  row: PreviewRow;
  has_portal: boolean;
}) {
  return (
    <span className="flex min-w-0 items-baseline gap-1.5">
      <Untrusted lines={1}>{affiliate_name}</Untrusted>
      {banned && <span className="shrink-0 font-normal text-bad">{texts.banned}</span>}
      {has_portal && agreement === "open" && (
        <span className="shrink-0 font-normal text-muted">{texts.not_agreed}</span>
      )}
      {has_portal && agreement === "disowned" && (
        <span className="shrink-0 font-normal text-warn" title={texts.not_theirs_hint}>
          {texts.not_theirs}
        </span>
      )}
    </span>
  );
}

/** Cards say in a line of its own that it is the email of the sign-in. */
function Address({ payout_email, has_payout_email }: PreviewRow) {
  if (has_payout_email) return <bdi className="block truncate">{payout_email}</bdi>;
  return (
    <span className="block truncate" title={texts.no_payout_email}>
      <TriangleAlert aria-hidden size={14} className="mr-1.5 inline align-text-bottom text-warn" />
      <span className="sr-only">{texts.no_payout_email}</span>
      <bdi>{payout_email}</bdi>
      <span aria-hidden>
        <span className="cards:hidden"> · </span>
        <span className="cards:block">{texts.sign_in_email}</span>
      </span>
    </span>
  );
}

/** The amount, and the amounts that it is converted from. */
function WillGet({ amount, currency, paid_in }: PreviewRow) {
  if (paid_in === undefined || paid_in.amount === null || paid_in.currency === currency) {
    return <Money amount={amount} currency={currency} />;
  }
  return (
    <span title={texts.converted_from(formatMoney(amount, currency))}>
      <Money amount={paid_in.amount} currency={paid_in.currency} />
      <span className="block text-meta font-normal text-muted">
        {texts.converted_from(formatMoney(amount, currency))}
      </span>
    </span>
  );
}

/** The reason beside each amount that the run does not pay, each in lines of its own. */
function StaysBack({ row, minimum }: { row: PreviewRow; minimum: number }) {
  const { outcome, amount, currency, paid_in, held_amount, held_until, hold_reason, hold_is_stale } = row;
  const reason =
    outcome === "below_minimum"
      ? texts.below(formatMoney(minimum, paid_in?.currency ?? currency))
      : outcome === "negative"
        ? texts.due_but_negative
        : outcome === "withheld"
          ? texts.left_out(hold_reason ?? "", hold_is_stale)
          : outcome === "rate_missing"
            ? texts.no_rate(paid_in?.missing_rates ?? [])
            : null;
  return (
    <span className="grid whitespace-normal">
      {reason !== null && (
        <span className="line-clamp-2">
          <Money amount={amount} currency={currency} /> <bdi>{reason}</bdi>
        </span>
      )}
      {held_amount !== 0 && (
        <span className="line-clamp-2">
          <Money amount={held_amount} currency={currency} />{" "}
          {held_until === null ? (
            texts.in_review
          ) : (
            <>
              {texts.held_until} <Time at={held_until} show="day" />
            </>
          )}
        </span>
      )}
    </span>
  );
}
