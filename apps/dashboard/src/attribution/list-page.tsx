import { Button, ButtonLink } from "@findersfee/ui/components/button";
import { FilterChip, type FilterValue } from "@findersfee/ui/lists/filter-bar";
import { APPLICATION_PATH } from "@findersfee/ui/requests/application-path";
import { lazyPart } from "@findersfee/ui/requests/lazy-part";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { CreditCard } from "lucide-react";
import { Suspense, useState } from "react";
import { nameOf } from "../affiliates/name.ts";
import { affiliateQuery } from "../affiliates/queries.ts";
import { ChoiceChip, valuesOf } from "../lists/choice-chip.tsx";
import { Filters } from "../lists/filters.tsx";
import { ListPage } from "../lists/list-page.tsx";
import { NamedChip } from "../lists/named-chip.tsx";
import { PeriodChip } from "../lists/period-chip.tsx";
import { RowCountText } from "../lists/row-count.tsx";
import { type ListAddress, useListAddress } from "../lists/use-list-address.ts";
import { useListSelection } from "../lists/use-list-selection.tsx";
import { BULK_PART, startBulkChange } from "../session/bulk-change.ts";
import { useMay, useSession } from "../session/session.tsx";
import { paymentColumns } from "./columns.tsx";
import { OUTCOME_GROUPS, OUTCOME_NAMES } from "./outcome-groups.ts";
import { groups, labels } from "./outcome-texts.ts";
import { paymentCountsQuery, paymentFilters, paymentRowCounts, paymentsQuery } from "./queries.ts";
import { readPaymentSearch, WITHOUT } from "./search.ts";
import { texts } from "./texts.ts";

/** Loaded after the list. */
const ExportButton = lazyPart(() => import("../work/export-button.tsx"), "ExportButton");

/** Loaded when it is opened. */
const DecideAgain = lazyPart(() => import("./decide-again.tsx"), "DecideAgain");

const route = getRouteApi("/o/$slug/payments");

type Address = ListAddress<"outcome" | "affiliate" | "processor">;

/** The counts of a filter stop here. */
const MOST_COUNTED = 1000;

/** The payments, each with its commission or the reason for none. */
export function PaymentsPage() {
  const session = useSession();
  const path = `${session.home}/payments`;
  const address: Address = useListAddress(path, readPaymentSearch(route.useSearch()));
  const query = useQuery(paymentsQuery(session, address.search));
  const may_decide = useMay("admin");
  const counts = paymentRowCounts(session, address.search);
  const { selection, chosen, offer } = useListSelection({
    rows: query.data?.data.map(({ id, outcome }) => ({ id, state: outcome })),
    canSelect: () => true,
    address,
    count: counts.matching,
    load: () => session.api.dashboard.payments.matching.query(paymentFilters(address.search)),
  });
  return (
    <ListPage
      title={texts.title}
      name="payments"
      page_actions={
        <>
          <Suspense>
            <ExportButton
              page={query.data}
              start={() => session.api.dashboard.payments.export.mutate(paymentFilters(address.search))}
            />
          </Suspense>
          <ButtonLink to={`${path}/try`}>{texts.try}</ButtonLink>
        </>
      }
      address={address}
      query={query}
      count={<RowCountText counts={counts} address={address} />}
      offer={offer}
      columns={paymentColumns}
      keyOf={({ id }) => id}
      nameOf={(row) => row.customer_email ?? row.processor_payment_id}
      linkTo={({ id }) => `${path}/${id}`}
      {...(may_decide ? { selection } : {})}
      filters={<PaymentFilters address={address} />}
      row_actions={<DecideAgainButton ids={chosen.map(({ id }) => id)} />}
      empty={{
        icon: CreditCard,
        nothing_yet: texts.nothing_yet,
        hint: texts.nothing_yet_hint,
        action: (
          <span className="flex flex-wrap items-center justify-center gap-x-4 gap-y-2">
            {may_decide && (
              <ButtonLink to={`${session.home}/connections`} look="solid">
                {texts.connect}
              </ButtonLink>
            )}
            <a href={`${APPLICATION_PATH}/docs/processors`} className="text-table text-accent underline">
              {texts.how_to_connect}
            </a>
          </span>
        ),
        nothing_matches: texts.nothing_matches,
      }}
    />
  );
}

/** Shows the results first. It decides more payments than a request can have part by part. */
function DecideAgainButton({ ids }: { ids: readonly string[] }) {
  const { api, home } = useSession();
  const [deciding, setDeciding] = useState(false);
  const decideMany = () =>
    startBulkChange({
      ids,
      title: texts.again_title(ids.length),
      confirm: texts.again,
      send: async (part) => {
        const decided = await api.dashboard.payment_decisions.rerunMany.mutate({ ids: part });
        return decided.filter(({ changed }) => changed).length;
      },
      pathOf: (id) => `${home}/payments/${id}`,
    });
  return (
    <>
      <Button onClick={() => (ids.length > BULK_PART ? decideMany() : setDeciding(true))}>
        {texts.decide_again}
      </Button>
      <Suspense>{deciding && <DecideAgain ids={ids} open onClose={() => setDeciding(false)} />}</Suspense>
    </>
  );
}

/** The filter that a link from an affiliate's page sets: the rows may name only those who won the payments. */
function AffiliateChip({ address }: { address: Address }) {
  const id = address.search.affiliate;
  const { data } = useQuery({ ...affiliateQuery(useSession(), id ?? ""), enabled: id !== undefined });
  return (
    <NamedChip
      address={address}
      field="affiliate"
      name={texts.affiliate}
      label={data && nameOf(data.affiliate)}
    />
  );
}

function PaymentFilters({ address }: { address: Address }) {
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
    <Filters address={address} label={texts.search}>
      <FilterChip
        name={texts.outcome}
        several
        values={[{ value: WITHOUT, label: texts.without }, ...outcomes]}
        chosen={search.outcome?.split(",") ?? []}
        onChoose={(chosen) => change({ outcome: chosen.join(",") || undefined })}
      />
      <PeriodChip address={address} />
      <ChoiceChip
        address={address}
        field="processor"
        name={texts.processor}
        values={valuesOf(texts.processors)}
      />
      <AffiliateChip address={address} />
    </Filters>
  );
}
