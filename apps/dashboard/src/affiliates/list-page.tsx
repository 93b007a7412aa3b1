import { Button, ButtonLink } from "@findersfee/ui/components/button";
import { Link } from "@findersfee/ui/navigation";
import { Menu } from "@findersfee/ui/overlays/menu";
import { useToast } from "@findersfee/ui/overlays/toast";
import { failureOf } from "@findersfee/ui/requests/failure";
import { lazyPart } from "@findersfee/ui/requests/lazy-part";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { Ellipsis, Users } from "lucide-react";
import { Suspense, useMemo, useState } from "react";
import { CampaignChip } from "../campaigns/campaign-chip.tsx";
import { ChoiceChip, valuesOf } from "../lists/choice-chip.tsx";
import { Filters, isFilterable } from "../lists/filters.tsx";
import { ListPage } from "../lists/list-page.tsx";
import { PeriodChip } from "../lists/period-chip.tsx";
import { RowCountText } from "../lists/row-count.tsx";
import { type ListAddress, useListAddress } from "../lists/use-list-address.ts";
import { type MatchingRow, useListSelection } from "../lists/use-list-selection.tsx";
import { isRowless, type RowPage } from "../requests/row-page.ts";
import { useWaitingIds } from "../session/delayed-changes.ts";
import { useMay, useSession } from "../session/session.tsx";
import { jobsKey } from "../work/jobs-key.ts";
import { BanButton } from "./ban-button.tsx";
import { affiliateColumns, type Figure } from "./columns.tsx";
import { nameOf } from "./name.ts";
import { type AffiliateRow, affiliateCounts, affiliatesQuery, matchingOf, waitingQuery } from "./queries.ts";
import { texts as rate_texts } from "./rate/texts.ts";
import { TagChip } from "./tag-chip.tsx";
import { texts } from "./texts.ts";
import { TierChip } from "./tier-chip.tsx";
import { UnbanButton } from "./unban-button.tsx";
import { useInvite } from "./use-invite.ts";
import { useReview } from "./use-review.ts";

const SetRateDialog = lazyPart(() => import("./rate/set-rate-dialog.tsx"), "SetRateDialog");
const TagDialog = lazyPart(() => import("./tag-dialog.tsx"), "TagDialog");
const MoveDialog = lazyPart(() => import("./move-dialog.tsx"), "MoveDialog");

const route = getRouteApi("/o/$slug/affiliates");

type Address = ListAddress<"status" | "agreement" | "campaign" | "tag" | "tier" | "balance" | "sort">;

/** Who are the affiliates, and what are their results? */
export function AffiliatesPage() {
  const session = useSession();
  const { home } = session;
  const address: Address = useListAddress(`${home}/affiliates`, route.useSearch());
  const { search } = address;
  const query = useQuery(affiliatesQuery(session, search));
  const sorted = sortedBy(address);
  const columns = useAffiliateColumns(address);
  const may_change = useMay("admin");
  const deciding = useWaitingIds();
  const lockOf = ({ id }: AffiliateRow) => (deciding.has(id) ? texts.is_being_decided : null);
  const all = matchingOf(search);
  const counts = affiliateCounts(session, search);
  const { selection, chosen, offer } = useListSelection({
    rows: query.data?.data,
    canSelect: ({ id }) => !deciding.has(id),
    address,
    count: counts.matching,
    load: () => session.api.dashboard.affiliates.matching.query(all),
  });
  const startExport = useExport();
  return (
    <ListPage
      title={texts.title}
      page_actions={
        <PageActions {...actionsOf(query.data, address, may_change)} onExport={() => startExport(all)} />
      }
      address={address}
      query={query}
      columns={columns}
      name="affiliates"
      keyOf={({ id }) => id}
      nameOf={nameOf}
      linkTo={({ id }) => `${home}/affiliates/${id}`}
      {...(may_change ? { selection, lockOf } : {})}
      count={<RowCountText counts={counts} address={address} />}
      offer={offer}
      row_actions={
        <RowActions
          rows={chosen}
          onExport={() =>
            startExport(selection.is_beyond ? all : { sort: all.sort, ids: [...selection.keys] })
          }
        />
      }
      filters={
        <>
          <AffiliateFilters address={address} />
          {sorted !== undefined && <SortNote sorted={sorted} address={address} />}
        </>
      }
      empty={{
        icon: Users,
        nothing_yet: texts.nothing_yet,
        hint: texts.nothing_yet_hint,
        action: may_change && <FirstSteps />,
        nothing_matches: texts.nothing_matches,
      }}
    />
  );
}

/** The figure that the list is sorted by; undefined: it is sorted by the time of joining. */
function sortedBy({ search }: Address): Figure | undefined {
  return (search.sort ?? (search.balance === undefined ? undefined : "unpaid")) as Figure | undefined;
}

function useAffiliateColumns(address: Address) {
  const { organization } = useSession();
  const { change } = address;
  const sorted = sortedBy(address);
  return useMemo(
    () =>
      affiliateColumns(
        { currency: organization.currency, has_portal: organization.test_of === null },
        { sorted, onSort: (figure) => change({ sort: figure === sorted ? undefined : figure }) },
      ),
    [organization.currency, organization.test_of, sorted, change],
  );
}

function AffiliateFilters({ address }: { address: Address }) {
  const { organization } = useSession();
  return (
    <Filters address={address} label={texts.search}>
      <ChoiceChip address={address} field="status" name={texts.status} values={valuesOf(texts.states)} />
      {organization.test_of === null && (
        <ChoiceChip
          address={address}
          field="agreement"
          name={texts.agreement}
          values={valuesOf(texts.agreements)}
        />
      )}
      <CampaignChip address={address} />
      <TagChip address={address} />
      <TierChip address={address} />
      <PeriodChip address={address} name={texts.joined} />
      <ChoiceChip address={address} field="balance" name={texts.balance} values={valuesOf(texts.balances)} />
    </Filters>
  );
}

/** Says that rows are left out: those that have no place in the order. */
function SortNote({ sorted, address }: { sorted: Figure; address: Address }) {
  const { organization } = useSession();
  return (
    <p className="order-1 basis-full pb-2 text-table text-muted">
      {sorted === "clicks"
        ? texts.sorted_by_clicks
        : texts.sorted_by(
            sorted === "earned" ? texts.earned.toLowerCase() : texts.owed.toLowerCase(),
            organization.currency,
          )}{" "}
      <Link
        to={address.hrefWith({ sort: undefined, balance: undefined })}
        className="text-accent underline underline-offset-2"
      >
        {texts.by_time}
      </Link>
    </p>
  );
}

/** The way to those who wait. */
function WaitingLink() {
  const session = useSession();
  const { data } = useQuery(waitingQuery(session, undefined));
  if (data === undefined || data.count === 0) return null;
  return <ButtonLink to={`${session.home}/affiliates/waiting`}>{texts.waiting_link(data.count)}</ButtonLink>;
}

function FirstSteps() {
  const { home } = useSession();
  return (
    <div className="flex gap-2">
      <ButtonLink look="solid" to={`${home}/affiliates/new`}>
        {texts.add}
      </ButtonLink>
      <ButtonLink to={`${home}/affiliates/import`}>{texts.import}</ButtonLink>
    </div>
  );
}

/** Without rows, there is nothing to export. */
function actionsOf(page: RowPage<unknown> | undefined, address: Address, may_change: boolean) {
  return { may_change: may_change && isFilterable(page, address), has_rows: !isRowless(page) };
}

interface PageActionsProps {
  may_change: boolean;
  has_rows: boolean;
  onExport: () => void;
}

function PageActions({ may_change, has_rows, onExport }: PageActionsProps) {
  const { home } = useSession();
  if (!may_change) return <WaitingLink />;
  return (
    <>
      <WaitingLink />
      <Menu
        label={texts.more}
        shape="square"
        align="end"
        items={[
          { kind: "link", id: "import", label: texts.import, to: `${home}/affiliates/import` },
          { kind: "action", id: "export", label: texts.export, run: onExport, disabled: !has_rows },
        ]}
      >
        <Ellipsis aria-hidden size={16} />
      </Menu>
      <ButtonLink look="solid" to={`${home}/affiliates/new`}>
        {texts.add}
      </ButtonLink>
    </>
  );
}

/** Starts an export; the tray shows it. */
function useExport() {
  const { api, organization } = useSession();
  const client = useQueryClient();
  const toast = useToast();
  const { mutate } = useMutation({
    mutationFn: (input: Parameters<typeof api.dashboard.affiliates.export.mutate>[0]) =>
      api.dashboard.affiliates.export.mutate(input),
    onSuccess: () => {
      toast({ text: texts.export_started });
      return client.invalidateQueries({ queryKey: jobsKey(organization.id) });
    },
    onError: (error) => toast({ text: failureOf(error).message, tone: "failed" }),
  });
  return mutate;
}

function RowActions({
  rows,
  onExport,
}: {
  rows: readonly (AffiliateRow | MatchingRow)[];
  onExport: () => void;
}) {
  const { approve } = useReview();
  const { invite, busy } = useInvite();
  const { organization } = useSession();
  const [moving, setMoving] = useState(false);
  const [tagging, setTagging] = useState(false);
  const [setting_rate, setSettingRate] = useState(false);
  const idsOf = (...states: string[]) =>
    rows.filter(({ state }) => states.includes(state)).map(({ id }) => id);
  const onlyName = (ids: readonly string[]) => {
    const [only] = ids.length === 1 ? rows.filter(({ id }) => id === ids[0]) : [];
    return only !== undefined && "email" in only ? nameOf(only) : null;
  };
  const to_approve = idsOf("waiting", "declined");
  const to_ban = idsOf("active", "waiting", "declined");
  const to_unban = idsOf("banned", "left");
  // The service leaves out people on other pages who agreed.
  const to_invite = rows
    .filter((row) => row.state === "active" && (!("agreement" in row) || row.agreement === "open"))
    .map(({ id }) => id);
  const all = rows.map(({ id }) => id);
  return (
    <>
      {to_approve.length > 0 && (
        <Button look="solid" onClick={() => approve(to_approve)}>
          {texts.approve}
        </Button>
      )}
      {to_invite.length > 0 && organization.test_of === null && (
        <Button busy={busy} onClick={() => invite(to_invite)}>
          {texts.invite}
        </Button>
      )}
      {to_ban.length > 0 && <BanButton ids={to_ban} name={onlyName(to_ban)} />}
      {to_unban.length > 0 && <UnbanButton ids={to_unban} label={texts.unban} name={onlyName(to_unban)} />}
      <Button onClick={() => setMoving(true)}>{texts.move}</Button>
      <Button onClick={() => setTagging(true)}>{texts.set_tags}</Button>
      <Button onClick={() => setSettingRate(true)}>{rate_texts.set}</Button>
      <Button onClick={onExport}>{texts.export_selected}</Button>
      <Suspense>
        {setting_rate && <SetRateDialog ids={all} rules={[]} onClose={() => setSettingRate(false)} />}
      </Suspense>
      <Suspense>{tagging && <TagDialog ids={all} onClose={() => setTagging(false)} />}</Suspense>
      <Suspense>{moving && <MoveDialog ids={all} open onClose={() => setMoving(false)} />}</Suspense>
    </>
  );
}
