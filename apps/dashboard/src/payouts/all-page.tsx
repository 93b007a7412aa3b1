import { ButtonLink } from "@findersfee/ui/components/button";
import { Page } from "@findersfee/ui/shell/page";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { Wallet } from "lucide-react";
import { ChoiceChip } from "../lists/choice-chip.tsx";
import { PeriodChip } from "../lists/period-chip.tsx";
import { type ListAddress, useListAddress } from "../lists/use-list-address.ts";
import { Views } from "../lists/views/views.tsx";
import { useSession } from "../session/session.tsx";
import { ForbiddenPage, isForbidden } from "../shell/forbidden-page.tsx";
import { allPayoutColumns } from "./payout-columns.tsx";
import { PayoutList } from "./payout-list.tsx";
import { PayoutTabs } from "./payout-tabs.tsx";
import { payoutFilters, payoutsQuery, runsQuery } from "./queries.ts";
import { texts } from "./texts.ts";

const route = getRouteApi("/o/$slug/payouts/all");

type Address = ListAddress<"status" | "currency">;

/** The payouts of all runs, newest first. */
export function AllPayoutsPage() {
  const session = useSession();
  const { home, organization } = session;
  const address: Address = useListAddress(`${home}/payouts/all`, route.useSearch());
  const query = useQuery(payoutsQuery(session, address.search));
  if (isForbidden(query.error)) return <ForbiddenPage error={query.error} />;
  return (
    <Page
      title={texts.title}
      document_title={`${texts.all_payouts} · ${organization.name}`}
      tabs={<PayoutTabs part="all" />}
    >
      <PayoutList
        address={address}
        query={query}
        columns={allPayoutColumns}
        filters={payoutFilters(address.search)}
        chips={
          <>
            <PeriodChip address={address} />
            <CurrencyChip address={address} />
            <Views list="payouts" address={address} />
          </>
        }
        empty={{
          icon: Wallet,
          nothing_yet: texts.no_payouts_yet,
          hint: texts.nothing_yet_hint,
          action: <ButtonLink to={`${home}/payouts/next`}>{texts.preview}</ButtonLink>,
          nothing_matches: texts.nothing_matches,
        }}
      />
    </Page>
  );
}

/** Nothing for programs that pay in one currency, unless the address names one. */
function CurrencyChip({ address }: { address: Address }) {
  const session = useSession();
  const { data } = useQuery(runsQuery(session));
  const paid = data?.data.flatMap(({ totals }) => totals.map(({ currency }) => currency)) ?? [];
  const { currency } = address.search;
  const currencies = [...new Set([...(currency === undefined ? [] : [currency]), ...paid])].sort();
  if (currencies.length < 2 && currency === undefined) return null;
  return (
    <ChoiceChip
      address={address}
      field="currency"
      name={texts.currency}
      values={currencies.map((item) => ({ value: item, label: item }))}
    />
  );
}
