import { Button, ButtonLink } from "@findersfee/ui/components/button";
import { Empty } from "@findersfee/ui/components/empty";
import { FilterBar, FilterChip, type FilterValue } from "@findersfee/ui/lists/filter-bar";
import { List } from "@findersfee/ui/lists/list";
import { useSelection } from "@findersfee/ui/lists/selection";
import { Page } from "@findersfee/ui/shell/page";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { CreditCard } from "lucide-react";
import { useState } from "react";
import { ForbiddenPage, isForbidden } from "../frame/forbidden-page.tsx";
import { PeriodChip } from "../lists/period-chip.tsx";
import { rowPager } from "../lists/row-pager.ts";
import { type ListAddress, useListAddress } from "../lists/use-list-address.ts";
import { APPLICATION_PATH } from "../requests/application-path.ts";
import { FailureNotice } from "../requests/failure-notice.tsx";
import { useMay, useSession } from "../session/session.tsx";
import { paymentColumns } from "./columns.tsx";
import { DecideAgain } from "./decide-again.tsx";
import { OUTCOME_GROUPS, OUTCOME_NAMES } from "./outcome-names.ts";
import { groups, labels } from "./outcomes.ts";
import { paymentCountsQuery, paymentsQuery } from "./queries.ts";
import { readPaymentSearch, WITHOUT } from "./search.ts";
import { texts } from "./texts.ts";

const route = getRouteApi("/o/$slug/payments");

type Address = ListAddress<"outcome" | "affiliate" | "processor">;

/** The counts of a filter stop here. */
const MOST_COUNTED = 1000;

/** Why is there a commission for each payment, or none? */
export function PaymentsPage() {
  const session = useSession();
  const path = `${session.home}/payments`;
  const address: Address = useListAddress(path, readPaymentSearch(route.useSearch()));
  const { data, error, isPlaceholderData, isFetching, refetch } = useQuery(
    paymentsQuery(session, address.search),
  );
  const may_decide = useMay("admin");
  const selection = useSelection(data?.data.map(({ id }) => id) ?? []);
  const [deciding, setDeciding] = useState(false);
  if (isForbidden(error)) return <ForbiddenPage error={error} />;
  return (
    <Page
      title={texts.title}
      document_title={`${texts.title} · ${session.organization.name}`}
      actions={<ButtonLink to={`${path}/try`}>{texts.try}</ButtonLink>}
    >
      <Filters address={address} />
      <List
        label={texts.title}
        columns={paymentColumns}
        rows={data?.data}
        keyOf={({ id }) => id}
        nameOf={(row) => row.customer_email ?? row.processor_payment_id}
        linkTo={({ id }) => `${path}/${id}`}
        busy={isPlaceholderData || (isFetching && data !== undefined && error !== null)}
        {...(may_decide ? { selection } : {})}
        actions={<Button onClick={() => setDeciding(true)}>{texts.decide_again}</Button>}
        failure={error === null ? undefined : <FailureNotice error={error} onRetry={() => void refetch()} />}
        empty={<NoPayments address={address} />}
        pager={rowPager(data, address)}
      />
      <DecideAgain ids={selection.keys} open={deciding} onClose={() => setDeciding(false)} />
    </Page>
  );
}

function Filters({ address }: { address: Address }) {
  const { search, change } = address;
  const { data: counts } = useQuery(paymentCountsQuery(useSession(), search.period));
  const outcomes = OUTCOME_NAMES.map((value): FilterValue => {
    const count = counts?.find(({ outcome }) => outcome === value)?.count ?? 0;
    return {
      value,
      label: labels[value],
      group: groups[OUTCOME_GROUPS[value]],
      ...(count === 0 ? {} : { detail: texts.count(count, MOST_COUNTED) }),
    };
  });
  return (
    <FilterBar label={texts.search} text={search.text ?? ""} onText={(text) => change({ text })}>
      <FilterChip
        name={texts.outcome}
        several
        values={[{ value: WITHOUT, label: texts.without }, ...outcomes]}
        chosen={search.outcome?.split(",") ?? []}
        onChoose={(chosen) => change({ outcome: chosen.join(",") || undefined })}
      />
      <PeriodChip period={search.period} onChoose={(period) => change({ period })} />
      <FilterChip
        name={texts.processor}
        values={Object.entries(texts.processors).map(([value, label]) => ({ value, label }))}
        chosen={search.processor === undefined ? [] : [search.processor]}
        onChoose={([processor]) => change({ processor })}
      />
    </FilterBar>
  );
}

function NoPayments({ address: { is_filtered, search, clear } }: { address: Address }) {
  if (!is_filtered) {
    return (
      <Empty
        icon={CreditCard}
        title={texts.nothing_yet}
        action={
          <a href={`${APPLICATION_PATH}/docs/processors`} className="text-accent underline">
            {texts.how_to_connect}
          </a>
        }
      >
        {texts.nothing_yet_hint}
      </Empty>
    );
  }
  const named = search.text === undefined ? "" : ` ${texts.matches_text(search.text)}`;
  return (
    <Empty
      title={`${texts.nothing_matches}${named}`}
      action={<Button onClick={clear}>{texts.clear}</Button>}
    />
  );
}
