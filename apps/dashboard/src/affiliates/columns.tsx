import { useClock } from "@findersfee/ui/components/clock";
import { Time } from "@findersfee/ui/components/values";
import { formatDay } from "@findersfee/ui/formats/dates";
import type { Column } from "@findersfee/ui/lists/table";
import { Amounts } from "./amounts.tsx";
import { nameOf } from "./name.ts";
import type { AffiliateRow } from "./queries.ts";
import { Status } from "./status.tsx";
import { texts } from "./texts.ts";

/** Counting the referrals of an affiliate stops here. */
const MOST_COUNTED = 1000;

/** A figure that the list can be sorted by. */
export type Figure = "earned" | "unpaid" | "clicks";

interface Sorting {
  sorted: Figure | undefined;
  onSort: (figure: Figure) => void;
}

const personOf = (has_portal: boolean): readonly Column<AffiliateRow>[] => [
  {
    id: "affiliate",
    header: texts.affiliate,
    cell: (row) => <NameAndEmail {...row} />,
    narrow: "above",
    strong: true,
  },
  {
    id: "status",
    header: texts.status,
    cell: ({ state, agreement }) => <Status state={state} agreement={has_portal ? agreement : null} />,
    narrow: "below",
    width: "w-42",
  },
  { id: "campaign", header: texts.campaign, cell: campaignOf, roomy: true, width: "w-32" },
];

const CUSTOMERS: readonly Column<AffiliateRow>[] = [
  {
    id: "referrals",
    header: texts.referrals,
    cell: (row) => counted(row, row.referrals),
    align: "end",
    width: "w-20",
  },
  {
    id: "converted",
    header: texts.converted,
    cell: (row) => counted(row, row.converted),
    align: "end",
    extra: true,
    width: "w-22",
  },
];

const TIMES_AND_CODE: readonly Column<AffiliateRow>[] = [
  {
    id: "last-click",
    header: texts.last_click,
    extra: true,
    cell: ({ last_click_day }) => (last_click_day === null ? "—" : <Day day={last_click_day} />),
    align: "end",
    width: "w-28",
  },
  { id: "tags", header: texts.tags, extra: true, cell: ({ tags }) => tags.join(", ") || "—", width: "w-32" },
  { id: "code", header: texts.code, extra: true, cell: ({ code }) => code ?? "—", width: "w-32" },
  {
    id: "joined",
    header: texts.joined,
    cell: ({ created_at }) => <Time at={created_at} show="day" />,
    align: "end",
    narrow: "below-end",
    width: "w-24",
  },
];

/**
 * `currency`: the organization's, which is shown first. `has_portal`: its affiliates can agree, other than those of test data.
 */
export function affiliateColumns(
  { currency: home_currency, has_portal }: { currency: string; has_portal: boolean },
  { sorted, onSort }: Sorting,
): readonly Column<AffiliateRow>[] {
  const sort = (figure: Figure) => ({
    onSort: () => onSort(figure),
    ...(figure === sorted ? { sorted: "descending" as const } : {}),
  });
  const amounts = (amountOf: (balance: AffiliateRow["balances"][number]) => number) => ({
    cell: ({ balances }: AffiliateRow) => (
      <Amounts
        amounts={balances.map((balance) => ({ amount: amountOf(balance), currency: balance.currency }))}
        home_currency={home_currency}
      />
    ),
    align: "end" as const,
    width: "w-28 min-[1280px]:w-34",
  });
  return [
    ...personOf(has_portal),
    {
      id: "clicks",
      header: texts.clicks,
      cell: ({ clicks }) => texts.count(clicks),
      ...sort("clicks"),
      align: "end",
      width: "w-18",
    },
    ...CUSTOMERS,
    {
      id: "earned",
      header: texts.earned,
      ...sort("earned"),
      ...amounts(({ earned }) => earned),
      narrow: "above-end",
      strong: true,
    },
    { id: "owed", header: texts.owed, ...sort("unpaid"), ...amounts(({ unpaid }) => unpaid) },
    { id: "due", header: texts.due, extra: true, ...amounts(({ due }) => due) },
    ...TIMES_AND_CODE,
  ];
}

/** A day of the organization's time zone. */
function Day({ day }: { day: string }) {
  const clock = useClock();
  return (
    <time dateTime={day} title={texts.last_click_hint}>
      {formatDay(new Date(`${day}T00:00:00Z`), { ...clock, time_zone: "UTC" })}
    </time>
  );
}

function NameAndEmail(row: AffiliateRow) {
  const name = nameOf(row);
  return (
    <span className="flex min-w-0 items-baseline gap-2">
      <span dir="auto" className="truncate" title={name}>
        {name}
      </span>
      {name !== row.email && (
        <span className="min-w-0 flex-1 truncate font-normal text-muted max-full:hidden" title={row.email}>
          {row.email}
        </span>
      )}
    </span>
  );
}

function campaignOf({ campaign: { name } }: AffiliateRow) {
  return (
    <span dir="auto" title={name}>
      {name}
    </span>
  );
}

function counted({ referrals }: AffiliateRow, count: number): string {
  return referrals >= MOST_COUNTED ? texts.count_or_more(count) : texts.count(count);
}
