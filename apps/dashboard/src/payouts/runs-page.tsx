import { Time } from "@findersfee/ui/components/values";
import { formatCount } from "@findersfee/ui/formats/counts";
import type { Column } from "@findersfee/ui/lists/table";
import { useQuery } from "@tanstack/react-query";
import { Wallet } from "lucide-react";
import { ListPage } from "../lists/list-page.tsx";
import { type ListAddress, useListAddress } from "../lists/use-list-address.ts";
import { useSession } from "../session/session.tsx";
import { amountsOf } from "./amounts.ts";
import { monthOf } from "./month.ts";
import { NextRunCard } from "./next-run-card.tsx";
import { PayoutTabs } from "./payout-tabs.tsx";
import { type Run, runsQuery } from "./queries.ts";
import { RunBar } from "./run-bar.tsx";
import { payerOf, RunState } from "./status.tsx";
import { texts } from "./texts.ts";

/** The month, and which of its runs. */
const nameOf = ({ period, number }: Run) =>
  number === 1 ? monthOf(period) : texts.run_of(monthOf(period), number);

const COLUMNS: readonly Column<Run>[] = [
  { id: "month", header: texts.month, cell: nameOf, narrow: "above", strong: true },
  { id: "state", header: texts.state, cell: (run) => <RunState run={run} />, width: "w-42" },
  {
    id: "payouts",
    header: texts.payouts,
    cell: ({ payouts }) => formatCount(payouts),
    align: "end",
    width: "w-24",
  },
  {
    id: "amount",
    header: texts.amount,
    cell: ({ totals, approval }) => {
      const shown = approval?.state === "waiting" ? approval.totals : totals;
      return <span className="block wrap-normal whitespace-normal">{amountsOf(shown) || "—"}</span>;
    },
    align: "end",
    narrow: "above-end",
    strong: true,
  },
  {
    id: "progress",
    header: texts.progress,
    cell: (run) => <RunBar run={run} />,
    narrow: "below-end",
    width: "w-68 max-full:w-40",
  },
  {
    id: "started",
    header: texts.started,
    cell: ({ created_at, started_by, started_by_name }) => (
      <>
        <Time at={created_at} show="day" /> {texts.by(payerOf({ name: started_by_name, actor: started_by }))}
      </>
    ),
    narrow: "below",
  },
];

/** The payout runs, newest first. */
export function PayoutRunsPage() {
  const session = useSession();
  const path = `${session.home}/payouts`;
  const address: ListAddress<never> = useListAddress(path, {});
  const query = { ...useQuery(runsQuery(session)), isPlaceholderData: false };
  return (
    <ListPage
      title={texts.title}
      tabs={<PayoutTabs part="runs" />}
      address={address}
      query={query}
      columns={COLUMNS}
      keyOf={({ id }) => id}
      nameOf={nameOf}
      linkTo={({ id }) => `${path}/runs/${id}`}
      is_whole
      above={<NextRunCard />}
      empty={{
        icon: Wallet,
        nothing_yet: texts.nothing_yet,
        hint: texts.nothing_yet_hint,
        nothing_matches: texts.nothing_matches,
      }}
    />
  );
}
