import { ButtonLink } from "@findersfee/ui/components/button";
import { Money, Time, Untrusted } from "@findersfee/ui/components/values";
import { useSelection } from "@findersfee/ui/lists/selection";
import type { Column } from "@findersfee/ui/lists/table";
import { keepPreviousData, queryOptions, useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { ShieldCheck } from "lucide-react";
import { nameOf } from "../affiliates/name.ts";
import { ListPage } from "../lists/list-page.tsx";
import { useListAddress } from "../lists/use-list-address.ts";
import { type Session, useMay, useSession } from "../session/session.tsx";
import { ReviewDecisions } from "./review-decisions.tsx";
import { ReviewTabs } from "./review-tabs.tsx";
import { reasonName, review_texts } from "./review-texts.ts";
import { type FlaggedSearch, readFlaggedSearch } from "./search.ts";
import { texts } from "./texts.ts";

const route = getRouteApi("/o/$slug/commissions/review/affiliates");

function flaggedQuery({ api, organization }: Session, { rows, after, before }: FlaggedSearch) {
  const input = { limit: Number(rows ?? 50), after, before };
  return queryOptions({
    queryKey: [organization.id, "commissions", "flagged", input],
    queryFn: ({ signal }) => api.dashboard.commissions.flagged_affiliates.query(input, { signal }),
    placeholderData: keepPreviousData,
  });
}

type Row = Awaited<
  ReturnType<Session["api"]["dashboard"]["commissions"]["flagged_affiliates"]["query"]>
>["data"][number];

/**
 * The affiliates that have unpaid commissions with signs of fraud. The page decides on all commissions of an
 * affiliate at once that wait because of them.
 */
export function FlaggedPage() {
  const session = useSession();
  const { home } = session;
  const address = useListAddress(
    `${home}/commissions/review/affiliates`,
    readFlaggedSearch(route.useSearch()),
  );
  const query = useQuery(flaggedQuery(session, address.search));
  const may_change = useMay("admin");
  const rows = query.data?.data ?? [];
  const selection = useSelection(
    rows.map(({ affiliate }) => affiliate.id),
    JSON.stringify(address.search),
  );
  return (
    <ListPage
      title={review_texts.title}
      tabs={<ReviewTabs part="affiliates" />}
      address={address}
      query={query}
      columns={COLUMNS}
      keyOf={({ affiliate }) => affiliate.id}
      nameOf={({ affiliate }) => nameOf(affiliate)}
      linkTo={({ affiliate, commissions }) =>
        `${home}/commissions${commissions === 0 ? "" : "/review"}?affiliate=${affiliate.id}`
      }
      {...(may_change ? { selection } : {})}
      row_actions={<Decisions chosen={rows.filter(({ affiliate }) => selection.has(affiliate.id))} />}
      empty={{
        icon: ShieldCheck,
        nothing_yet: review_texts.no_affiliates,
        hint: review_texts.no_affiliates_hint,
        action: <ButtonLink to={`${home}/campaigns`}>{review_texts.see_campaigns}</ButtonLink>,
        nothing_matches: review_texts.no_affiliates,
      }}
    />
  );
}

const COLUMNS: readonly Column<Row>[] = [
  {
    id: "since",
    header: review_texts.since,
    cell: ({ since }) => <Time at={since} show="relative" />,
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
    id: "signals",
    header: review_texts.evidence,
    cell: ({ signals }) => <Signals signals={signals} />,
    narrow: "below-end",
    width: "w-110 max-full:w-80",
  },
  {
    id: "commissions",
    header: review_texts.commissions,
    cell: ({ commissions, flagged }) => (
      <div className="grid">
        {commissions > 0 && <span>{review_texts.waiting(commissions)}</span>}
        {flagged > 0 && <span className="text-muted">{review_texts.only_flagged(flagged)}</span>}
      </div>
    ),
    narrow: "below",
    width: "w-32",
  },
  {
    id: "loses",
    header: review_texts.costs,
    cell: ({ amounts }) => (
      <div className="grid">
        {amounts.map(({ amount, currency }) => (
          <Money key={currency} amount={amount} currency={currency} />
        ))}
      </div>
    ),
    align: "end",
    narrow: "above-end",
    strong: true,
    width: "w-36",
  },
];

/** Each sign with the number of its commissions, and the evidence of the newest one. */
function Signals({ signals }: Pick<Row, "signals">) {
  return (
    <ul className="grid gap-1 py-1 whitespace-normal">
      {signals.map(({ signal, commissions, evidence }) => (
        <li key={signal}>
          <span>
            {reasonName(`signal:${signal}`)} · {commissions}
          </span>
          {evidence !== null && (
            <span className="text-muted">
              <Untrusted lines={3}>{evidence}</Untrusted>
            </span>
          )}
        </li>
      ))}
    </ul>
  );
}

/** Decides on all that wait of the selected affiliates. */
function Decisions({ chosen }: { chosen: readonly Row[] }) {
  const ids = chosen.flatMap(({ commission_ids }) => commission_ids);
  if (ids.length === 0)
    return <span className="text-table text-muted">{review_texts.nothing_to_decide}</span>;
  // The rest follows once these are decided.
  const is_whole = chosen.every(({ commissions, commission_ids }) => commissions === commission_ids.length);
  const losses = chosen.flatMap(({ affiliate, amounts }) =>
    amounts.map(({ amount, currency }) => ({ affiliate, commission_amount: amount, currency })),
  );
  return (
    <>
      {!is_whole && <span className="text-table text-muted">{review_texts.newest_only}</span>}
      <ReviewDecisions ids={ids} losses={is_whole ? losses : null} />
    </>
  );
}
