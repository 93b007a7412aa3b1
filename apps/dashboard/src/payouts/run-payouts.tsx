import { useQuery } from "@tanstack/react-query";
import { Wallet } from "lucide-react";
import { type ListAddress, useListAddress } from "../lists/use-list-address.ts";
import { useSession } from "../session/session.tsx";
import { payoutColumns } from "./payout-columns.tsx";
import { PayoutList } from "./payout-list.tsx";
import { payoutFilters, payoutsQuery, type Run, type RunSearch } from "./queries.ts";
import { texts } from "./texts.ts";

/** The payouts of a run. */
export function RunPayouts({ run, search }: { run: Run; search: RunSearch }) {
  const session = useSession();
  const address: ListAddress<"status"> = useListAddress(`${session.home}/payouts/runs/${run.id}`, search);
  const filters = payoutFilters(address.search, run.id);
  const query = useQuery(payoutsQuery(session, address.search, run));
  return (
    <PayoutList
      address={address}
      query={query}
      columns={payoutColumns}
      filters={filters}
      empty={{
        icon: Wallet,
        nothing_yet: texts.no_payouts,
        hint: texts.no_payouts_hint,
        nothing_matches: texts.nothing_matches,
      }}
    />
  );
}
