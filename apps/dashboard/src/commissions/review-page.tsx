import { ButtonLink } from "@findersfee/ui/components/button";
import { Money, Time, Untrusted } from "@findersfee/ui/components/values";
import type { Column } from "@findersfee/ui/lists/table";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { ListChecks } from "lucide-react";
import { nameOf } from "../affiliates/name.ts";
import { CampaignChip } from "../campaigns/campaign-chip.tsx";
import { Filters } from "../lists/filters.tsx";
import { ListPage } from "../lists/list-page.tsx";
import { NamedChip } from "../lists/named-chip.tsx";
import { RowCountText } from "../lists/row-count.tsx";
import { type ListAddress, useListAddress } from "../lists/use-list-address.ts";
import { type MatchingRow, useListSelection } from "../lists/use-list-selection.tsx";
import { useMay, useSession } from "../session/session.tsx";
import { type CommissionRow, commissionCounts, commissionFilters, commissionsQuery } from "./queries.ts";
import { ReviewDecisions } from "./review-decisions.tsx";
import { ReviewTabs } from "./review-tabs.tsx";
import { reasonName, review_texts } from "./review-texts.ts";
import { readReviewSearch } from "./search.ts";
import { texts } from "./texts.ts";

const route = getRouteApi("/o/$slug/commissions/review");

type Address = ListAddress<"affiliate" | "campaign">;

/** The queue of commissions that wait for an approval, each with the reasons for and against it. */
export function ReviewPage() {
  const session = useSession();
  const { home } = session;
  const address: Address = useListAddress(`${home}/commissions/review`, readReviewSearch(route.useSearch()));
  const search = { ...address.search, status: "in_review" };
  const query = useQuery(commissionsQuery(session, search));
  const may_change = useMay("admin");
  const rows = query.data?.data;
  const counts = {
    ...commissionCounts(session, search),
    all: commissionCounts(session, { status: "in_review" }).matching,
  };
  const { selection, chosen, offer } = useListSelection({
    rows,
    canSelect: () => true,
    address,
    count: counts.matching,
    load: () => session.api.dashboard.commissions.matching.query(commissionFilters(search)),
  });
  return (
    <ListPage
      title={review_texts.title}
      tabs={<ReviewTabs part="commissions" />}
      address={address}
      query={query}
      columns={COLUMNS}
      keyOf={({ id }) => id}
      nameOf={({ affiliate }) => nameOf(affiliate)}
      linkTo={({ id }) => `${home}/commissions/${id}`}
      {...(may_change ? { selection } : {})}
      filters={<ReviewFilters address={address} first={rows?.[0]} />}
      count={<RowCountText counts={counts} address={address} />}
      offer={offer}
      row_actions={<Decisions chosen={chosen} rows={rows ?? []} />}
      empty={{
        icon: ListChecks,
        nothing_yet: review_texts.empty,
        hint: review_texts.empty_hint,
        action: <ButtonLink to={`${home}/campaigns`}>{review_texts.see_campaigns}</ButtonLink>,
        nothing_matches: review_texts.nothing_matches,
      }}
    />
  );
}

const COLUMNS: readonly Column<CommissionRow>[] = [
  {
    id: "since",
    header: review_texts.since,
    cell: ({ review, created_at }) => <Time at={review?.since ?? created_at} show="relative" />,
    narrow: "below",
    width: "w-30",
  },
  {
    id: "affiliate",
    header: texts.affiliate,
    cell: ({ affiliate }) => <Untrusted lines={1}>{nameOf(affiliate)}</Untrusted>,
    narrow: "above",
    strong: true,
  },
  {
    id: "customer",
    header: texts.customer,
    cell: ({ customer }) => <Untrusted lines={1}>{customer.email}</Untrusted>,
  },
  {
    id: "reasons",
    header: review_texts.reasons,
    cell: (row) => <Reasons row={row} />,
    narrow: "below-end",
    width: "w-72 max-full:w-56",
  },
  {
    id: "approves",
    header: review_texts.approves_itself,
    cell: ({ review }) =>
      review?.approves_at == null ? review_texts.never : <Time at={review.approves_at} show="day" />,
    width: "w-32",
  },
  {
    id: "revenue",
    header: texts.revenue,
    cell: ({ revenue_amount, currency }) => <Money amount={revenue_amount} currency={currency} />,
    align: "end",
    width: "w-28",
  },
  {
    id: "commission",
    header: texts.commission,
    cell: ({ commission_amount, currency }) => <Money amount={commission_amount} currency={currency} />,
    align: "end",
    narrow: "above-end",
    strong: true,
    width: "w-32",
  },
];

/** Why a commission waits: the campaign's setting, and the evidence of each sign of fraud. */
function Reasons({ row: { review, signals } }: { row: CommissionRow }) {
  const reasons = review?.reasons.filter((reason) => !reason.startsWith("signal:")) ?? [];
  return (
    <div className="grid gap-0.5 whitespace-normal">
      {reasons.length > 0 && <span>{reasons.map(reasonName).join(", ")}</span>}
      {signals.map(({ signal, evidence }) => (
        <Untrusted key={signal} lines={3}>
          {evidence}
        </Untrusted>
      ))}
    </div>
  );
}

function ReviewFilters({ address, first }: { address: Address; first: CommissionRow | undefined }) {
  return (
    <Filters address={address} label={texts.search}>
      <CampaignChip address={address} />
      <NamedChip
        address={address}
        field="affiliate"
        name={texts.affiliate}
        label={first === undefined ? undefined : nameOf(first.affiliate)}
      />
    </Filters>
  );
}

/** Decides on the selected commissions. */
function Decisions({ chosen, rows }: { chosen: readonly MatchingRow[]; rows: readonly CommissionRow[] }) {
  const ids = chosen.map(({ id }) => id);
  const known = rows.filter(({ id }) => ids.includes(id));
  return <ReviewDecisions ids={ids} losses={known.length === ids.length ? known : null} />;
}
