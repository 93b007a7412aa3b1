import { CopyButton } from "@findersfee/ui/components/copy";
import { Empty } from "@findersfee/ui/components/empty";
import { SkeletonRows } from "@findersfee/ui/components/skeleton";
import { FilterChip } from "@findersfee/ui/lists/filter-bar";
import { Link, useNavigation } from "@findersfee/ui/navigation";
import { Page } from "@findersfee/ui/shell/page";
import { useShortcuts } from "@findersfee/ui/shell/shortcuts";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { UserCheck } from "lucide-react";
import { useRef, useState } from "react";
import { joinAddress } from "../campaigns/join-address.ts";
import { campaignsQuery, joiningQuery } from "../campaigns/queries.ts";
import { writeSearch } from "../lists/search.ts";
import { FailureNotice } from "../requests/failure-notice.tsx";
import { useWaitingIds } from "../session/delayed-changes.ts";
import { type Session, useMay, useSession } from "../session/session.tsx";
import { ForbiddenPage, isForbidden } from "../shell/forbidden-page.tsx";
import { texts as shell_texts } from "../shell/texts.ts";
import { Application } from "./application.tsx";
import { ApplicationList } from "./application-list.tsx";
import { DeclineDialog } from "./decline-dialog.tsx";
import { nameOf } from "./name.ts";
import { type ApplicationQuery, type Application as ApplicationRow, applicationsQuery } from "./queries.ts";
import { type Decline, useReview } from "./use-review.ts";
import { texts } from "./waiting-texts.ts";

type Campaigns = Awaited<ReturnType<Session["api"]["campaigns"]["list"]["query"]>>["data"];

const route = getRouteApi("/o/$slug/affiliates/waiting");

/** Should this one be let in? */
export function WaitingPage() {
  const session = useSession();
  const { organization, home } = session;
  const search = route.useSearch();
  const query = useInfiniteQuery(applicationsQuery(session, search.campaign));
  // Both states of the page need them: asked for beside the applications, they cost no further round trip.
  const campaigns = useQuery(campaignsQuery(session)).data?.data;
  const deciding = useWaitingIds();
  const may_decide = useMay("admin");
  const { data, error, refetch } = query;
  const all = data?.pages.flatMap((page) => page.data);
  if (isForbidden(error)) return <ForbiddenPage error={error} />;
  const { rows, count } = undecided(all, data?.pages.at(-1)?.count ?? 0, deciding);
  const has_rows = rows !== undefined && rows.length > 0;
  return (
    <Page
      title={texts.title}
      document_title={`${texts.title} · ${organization.name}`}
      parent={{ to: `${home}/affiliates`, label: texts.parent }}
      beside={has_rows && texts.count(count)}
      actions={
        has_rows && (
          <p className="self-center text-meta text-muted max-full:hidden">
            {may_decide ? texts.keys : texts.keys_to_move}
          </p>
        )
      }
    >
      <FailureOf error={error} onRetry={() => void refetch()} />
      {rows === undefined && error === null && <SkeletonRows label={shell_texts.loading} />}
      {(search.campaign !== undefined || count > 0) && (
        <div className={search.open === undefined ? "" : "max-full:hidden"}>
          <CampaignFilter path={`${home}/affiliates/waiting`} campaigns={campaigns} />
        </div>
      )}
      {rows !== undefined && rows.length === 0 && (
        <NobodyWaits
          campaign={campaigns?.find(({ id, is_default }) =>
            search.campaign === undefined ? is_default : id === search.campaign,
          )}
        />
      )}
      {has_rows && <Applications rows={rows} all={all ?? []} count={count} query={query} />}
    </Page>
  );
}

/** The applications that are not being decided, and their number; no rows: they are loading. */
function undecided(all: readonly ApplicationRow[] | undefined, count: number, deciding: ReadonlySet<string>) {
  if (all === undefined) return { rows: undefined, count: 0 };
  const rows = all.filter(({ id }) => !deciding.has(id));
  return { rows, count: count - (all.length - rows.length) };
}

function FailureOf({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  return error === null ? null : <FailureNotice error={error} onRetry={onRetry} />;
}

interface ApplicationsProps {
  rows: readonly ApplicationRow[];
  /** With those that are being decided. */
  all: readonly ApplicationRow[];
  /** The number of all rows, loaded or not. */
  count: number;
  query: Pick<ApplicationQuery, "fetchNextPage" | "hasNextPage" | "isFetchingNextPage">;
}

/** The applications at the left, and the open one beside them. */
function Applications({ rows, all, count, query }: ApplicationsProps) {
  const { home } = useSession();
  const { navigate } = useNavigation();
  const search = route.useSearch();
  const may_decide = useMay("admin");
  /** The ids of the applications with an open form for the rejection. */
  const [declining, setDeclining] = useState<readonly string[]>([]);
  const path = `${home}/affiliates/waiting`;
  const linkTo = (id: string | undefined) => `${path}${writeSearch({ ...search, open: id })}`;
  const review = useReview(([first]) => navigate(linkTo(first)));
  const undo = useRef<() => void>(() => {});
  const open = rows.find(({ id }) => id === search.open) ?? rows[0];
  if (open === undefined) return null;
  const place = rows.indexOf(open);
  const show = (row: ApplicationRow | undefined) => row !== undefined && navigate(linkTo(row.id));
  /** After a decision, the next application opens: the remaining one at the same place. */
  const decided = (ids: readonly string[], takeBack: () => void) => {
    undo.current = takeBack;
    const left = rows.filter(({ id }) => !ids.includes(id));
    const next = left.find((row) => all.indexOf(row) > all.indexOf(open)) ?? left.at(-1);
    navigate(linkTo(next?.id));
  };
  const approve = (ids: readonly string[]) => decided(ids, review.approve(ids));
  const decline = (ids: readonly string[], how: Decline) => decided(ids, review.decline(ids, how));
  return (
    <>
      <Shortcuts
        items={[
          { keys: "j", label: texts.next, run: () => show(rows[place + 1]) },
          { keys: "k", label: texts.previous, run: () => show(rows[place - 1]) },
          ...(may_decide
            ? [
                { keys: "a", label: texts.approve, run: () => approve([open.id]) },
                { keys: "d", label: texts.decline, run: () => setDeclining([open.id]) },
                { keys: "z", label: texts.undo, run: () => undo.current() },
              ]
            : []),
        ]}
      />
      <div className="grid gap-x-10 gap-y-6 pb-12 full:grid-cols-[minmax(0,400px)_minmax(0,1fr)]">
        <div className={search.open === undefined ? "min-w-0" : "min-w-0 max-full:hidden"}>
          <ApplicationList
            {...{ rows, count, query, linkTo }}
            open_id={open.id}
            decisions={may_decide ? { approve, decline: setDeclining } : null}
          />
        </div>
        <div className={search.open === undefined ? "min-w-0 max-full:hidden" : "min-w-0"}>
          <Application
            key={open.id}
            application={open}
            onApprove={may_decide ? () => approve([open.id]) : null}
            onDecline={() => setDeclining([open.id])}
            back={linkTo(undefined)}
          />
        </div>
      </div>
      <DeclineDialog
        ids={declining}
        name={nameOf(rows.find(({ id }) => id === declining[0]) ?? open)}
        open={declining.length > 0}
        onClose={() => setDeclining([])}
        onDecline={(how) => {
          setDeclining([]);
          decline(declining, how);
        }}
      />
    </>
  );
}

function Shortcuts({ items }: { items: Parameters<typeof useShortcuts>[0] }) {
  useShortcuts(items);
  return null;
}

/** The filter by campaign, for an organization that has several. */
function CampaignFilter({ path, campaigns = [] }: { path: string; campaigns: Campaigns | undefined }) {
  const { navigate } = useNavigation();
  const { campaign } = route.useSearch();
  if (campaigns.length < 2) return null;
  return (
    <div className="pb-2">
      <FilterChip
        name={texts.campaign}
        values={campaigns.map(({ id, name }) => ({ value: id, label: name }))}
        chosen={campaign === undefined ? [] : [campaign]}
        onChoose={([chosen]) => navigate(`${path}${writeSearch({ campaign: chosen })}`)}
      />
    </div>
  );
}

/** The link by which people apply: to the chosen campaign, else to the default one. */
function NobodyWaits({ campaign }: { campaign: Campaigns[number] | undefined }) {
  const session = useSession();
  const { organization, home } = session;
  const { data: edited } = useQuery({
    ...joiningQuery(session, campaign?.id ?? ""),
    enabled: campaign !== undefined,
  });
  return (
    <Empty icon={UserCheck} title={texts.empty}>
      <p>{texts.empty_hint}</p>
      {edited !== undefined &&
        (edited.joining === "closed" ? (
          <p>
            {texts.empty_closed(edited.campaign.name)}{" "}
            <Link to={`${home}/campaigns/${edited.campaign.id}/portal`} className="text-ink underline">
              {texts.empty_open}
            </Link>
          </p>
        ) : (
          <JoinAddress name={edited.campaign.name} address={joinAddress(organization, edited)} />
        ))}
    </Empty>
  );
}

function JoinAddress({ name, address }: { name: string; address: string }) {
  return (
    <>
      <p>{texts.empty_address(name)}</p>
      <p className="flex items-center justify-center gap-1 pt-1">
        <code className="min-w-0 truncate font-mono text-meta">{address}</code>
        <CopyButton text={address} quiet />
      </p>
    </>
  );
}
