import { Button } from "@findersfee/ui/components/button";
import { Empty } from "@findersfee/ui/components/empty";
import { SkeletonRows } from "@findersfee/ui/components/skeleton";
import { State } from "@findersfee/ui/components/state";
import { Time } from "@findersfee/ui/components/values";
import { formatMinor, formatMoney } from "@findersfee/ui/formats/money";
import { type Column, Table } from "@findersfee/ui/lists/table";
import { Link } from "@findersfee/ui/navigation";
import { useInfiniteQuery } from "@tanstack/react-query";
import { Wallet } from "lucide-react";
import { useMemo } from "react";
import { Cause } from "../../commissions/cause.tsx";
import { ledger_kinds } from "../../payouts/ledger-kinds.ts";
import { FailureNotice } from "../../requests/failure-notice.tsx";
import { useSession } from "../../session/session.tsx";
import { texts as shell_texts } from "../../shell/texts.ts";
import type { Detail } from "../queries.ts";
import { addsUp, balancesAfter } from "./running-balance.ts";
import { texts } from "./texts.ts";

const PAGE = 100;

/** Every entry of the affiliate's ledger, with the balance after it. */
export function LedgerTab({ detail: { affiliate, balances } }: { detail: Detail }) {
  const { api, organization, home } = useSession();
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery({
    queryKey: [organization.id, "affiliates", "ledger", affiliate.id],
    queryFn: ({ signal, pageParam }) =>
      api.dashboard.ledger.list.query(
        { affiliate_id: affiliate.id, limit: PAGE, ...(pageParam === null ? {} : { cursor: pageParam }) },
        { signal },
      ),
    initialPageParam: null as string | null,
    getNextPageParam: ({ pagination }) => pagination.next_cursor,
  });
  const entries = useMemo(() => data?.pages.flatMap((page) => page.data) ?? [], [data]);
  const rows = useMemo(() => {
    const after = balancesAfter(entries, balances);
    return entries.map((entry, index) => ({ ...entry, after: after[index] ?? 0 }));
  }, [entries, balances]);
  const columns = useMemo(() => columnsOf(home), [home]);
  if (error !== null) return <FailureNotice error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <SkeletonRows label={shell_texts.loading} />;
  if (rows.length === 0) return <Empty icon={Wallet} title={texts.no_ledger} />;
  const is_right = addsUp(entries, balances);
  return (
    <>
      {!hasNextPage && (
        <p className="flex flex-wrap items-baseline gap-x-3 pb-3 text-table">
          <State tone={is_right ? "done" : "failed"}>{is_right ? texts.adds_up : texts.adds_up_not}</State>
          <span className="text-muted">{texts.ledger_sum}</span>
        </p>
      )}
      <Table
        label={texts.tabs.ledger ?? ""}
        rows={rows}
        columns={columns}
        keyOf={({ number }) => number}
        nameOf={({ number }) => number}
      />
      {hasNextPage && (
        <p className="flex justify-center pt-3">
          <Button busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            {texts.older}
          </Button>
        </p>
      )}
    </>
  );
}

interface Row {
  number: string;
  kind: keyof typeof ledger_kinds;
  commission_id: string | null;
  adjustment: { id: string; reason: string } | null;
  payout_id: string | null;
  currency: string;
  unpaid: number;
  in_payout: number;
  paid: number;
  cause: string;
  cause_name: string | null;
  created_at: string;
  /** In minor units. */
  after: number;
}

function columnsOf(home: string): readonly Column<Row>[] {
  const amount = (name: "unpaid" | "in_payout" | "paid", header: string, roomy: boolean): Column<Row> => ({
    id: name,
    header,
    cell: (row) => (
      <>
        {signed(row[name], row.currency)}
        {name === "unpaid" && row.unpaid === 0 && (
          <span className="font-normal text-muted wide:hidden">{formatMoney(row.paid, row.currency)}</span>
        )}
      </>
    ),
    align: "end",
    roomy,
    width: "w-26",
    ...(name === "unpaid" ? { narrow: "above-end", strong: true } : {}),
  });
  return [
    { id: "number", header: texts.number, cell: ({ number }) => number, width: "w-20" },
    {
      id: "when",
      header: texts.when,
      cell: ({ created_at }) => <Time at={created_at} />,
      narrow: "below",
      width: "w-34",
    },
    {
      id: "kind",
      header: texts.kind,
      cell: (row) => <Kind row={row} home={home} />,
      narrow: "above",
      strong: true,
    },
    amount("unpaid", texts.unpaid, false),
    amount("in_payout", texts.in_payout, true),
    amount("paid", texts.paid, true),
    {
      id: "after",
      header: texts.balance_after,
      cell: ({ after, currency }) => (
        <>
          <span className="wide:hidden">{texts.balance_after} </span>
          {formatMinor(after, currency)}
        </>
      ),
      align: "end",
      narrow: "below-end",
      width: "w-34",
    },
    {
      id: "cause",
      header: texts.cause,
      cell: ({ cause, cause_name }) => <Cause cause={cause} name={cause_name} />,
      roomy: true,
      width: "w-44",
    },
  ];
}

function Kind({ row: { kind, commission_id, adjustment, payout_id }, home }: { row: Row; home: string }) {
  const name = ledger_kinds[kind];
  if (adjustment !== null)
    return (
      <>
        {name}{" "}
        <bdi className="font-normal text-muted" title={adjustment.reason}>
          {adjustment.reason}
        </bdi>
      </>
    );
  const to =
    commission_id !== null
      ? `${home}/commissions/${commission_id}`
      : payout_id !== null
        ? `${home}/payouts/${payout_id}`
        : null;
  if (to === null) return name;
  return (
    <Link to={to} className="underline decoration-rule underline-offset-2 hover:decoration-ink">
      {name}
    </Link>
  );
}

function signed(amount: number, currency: string): string {
  if (amount === 0) return "";
  return `${amount > 0 ? "+" : ""}${formatMoney(amount, currency)}`;
}
