import { Button, ButtonLink } from "@findersfee/ui/components/button";
import { Menu } from "@findersfee/ui/overlays/menu";
import { lazyPart } from "@findersfee/ui/requests/lazy-part";
import { useShortcuts } from "@findersfee/ui/shell/shortcuts";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { ChevronDown, Coins } from "lucide-react";
import { Suspense, useMemo, useState } from "react";
import { nameOf } from "../affiliates/name.ts";
import { CampaignChip } from "../campaigns/campaign-chip.tsx";
import { ChoiceChip, valuesOf } from "../lists/choice-chip.tsx";
import { Filters } from "../lists/filters.tsx";
import { ListPage } from "../lists/list-page.tsx";
import { NamedChip } from "../lists/named-chip.tsx";
import { PeriodChip } from "../lists/period-chip.tsx";
import { RowCountText } from "../lists/row-count.tsx";
import { type ListAddress, useListAddress } from "../lists/use-list-address.ts";
import { type MatchingRow, useListSelection } from "../lists/use-list-selection.tsx";
import { monthOf } from "../payouts/month.ts";
import { isRowless } from "../requests/row-page.ts";
import { useMay, useSession } from "../session/session.tsx";
import { export_texts } from "../work/export-texts.ts";
import { useExport } from "../work/use-export.ts";
import { commissionColumns } from "./columns.tsx";
import { type CommissionRow, commissionCounts, commissionFilters, commissionsQuery } from "./queries.ts";
import { readCommissionSearch } from "./search.ts";
import { texts } from "./texts.ts";
import { useSetStatus } from "./use-set-status.ts";

/** Loaded when it is opened. */
const VoidDialog = lazyPart(() => import("./void-dialog.tsx"), "VoidDialog");

const route = getRouteApi("/o/$slug/commissions");

type Address = ListAddress<"status" | "affiliate" | "campaign" | "payout" | "kind">;

function lockOf({ state }: MatchingRow): string | null {
  return state === "pending" || state === "paid" ? texts.locked : null;
}

function payoutOf(row: CommissionRow | undefined): string | undefined {
  return row?.payout == null ? undefined : monthOf(row.payout.period);
}

/** The commissions, each with its state. */
export function CommissionsPage() {
  const session = useSession();
  const { organization, home } = session;
  const path = `${home}/commissions`;
  const address: Address = useListAddress(path, readCommissionSearch(route.useSearch()));
  const query = useQuery(commissionsQuery(session, address.search));
  const columns = useMemo(() => commissionColumns(organization.currency), [organization.currency]);
  const may_change = useMay("admin");
  const rows = query.data?.data;
  const counts = commissionCounts(session, address.search);
  const { selection, chosen, offer } = useListSelection({
    rows,
    canSelect: (row) => lockOf(row) === null,
    address,
    count: counts.matching,
    load: () => session.api.dashboard.commissions.matching.query(commissionFilters(address.search)),
  });
  const change = useStatusChange(chosen);
  return (
    <ListPage
      title={texts.title}
      name="commissions"
      address={address}
      query={query}
      columns={columns}
      keyOf={({ id }) => id}
      nameOf={({ affiliate }) => nameOf(affiliate)}
      linkTo={({ id }) => `${path}/${id}`}
      {...(may_change ? { selection, lockOf } : {})}
      filters={<CommissionFilters address={address} first={rows?.[0]} />}
      page_actions={
        may_change && (
          <>
            <ExportMenu address={address} has_commissions={!isRowless(query.data)} />
            <ButtonLink to={`${path}/new`}>{texts.new}</ButtonLink>
          </>
        )
      }
      count={<RowCountText counts={counts} address={address} />}
      offer={offer}
      row_actions={<StatusActions change={change} />}
      empty={{
        icon: Coins,
        nothing_yet: texts.nothing_yet,
        hint: texts.nothing_yet_hint,
        action: <ButtonLink to={`${home}/payments`}>{texts.see_payments}</ButtonLink>,
        nothing_matches: texts.nothing_matches,
      }}
    />
  );
}

/** Exports of the list's commissions, and of the adjustments beside them. */
function ExportMenu({
  address: { search },
  has_commissions,
}: {
  address: Address;
  has_commissions: boolean;
}) {
  const { commissions, adjustments } = useSession().api.dashboard;
  const filters = commissionFilters(search);
  const { affiliate_id, payout_id } = filters;
  const ofCommissions = useExport(() => commissions.export.mutate(filters));
  const ofAdjustments = useExport(() => adjustments.export.mutate({ affiliate_id, payout_id }));
  return (
    <Menu
      items={[
        {
          kind: "action",
          id: "commissions",
          label: texts.title,
          run: ofCommissions.run,
          disabled: !has_commissions,
        },
        { kind: "action", id: "adjustments", label: exportedAdjustments(filters), run: ofAdjustments.run },
      ]}
      align="end"
    >
      {export_texts.export}
      <ChevronDown aria-hidden size={14} />
    </Menu>
  );
}

/** Only these filters of the list apply to adjustments. */
function exportedAdjustments({ affiliate_id, payout_id }: ReturnType<typeof commissionFilters>): string {
  if (payout_id !== undefined) return texts.adjustments_of_payout;
  return affiliate_id === undefined ? texts.all_adjustments : texts.adjustments_of_affiliate;
}

/** `first`: a row of the list, which names the filtered affiliate and payout. */
function CommissionFilters({ address, first }: { address: Address; first: CommissionRow | undefined }) {
  return (
    <Filters address={address} label={texts.search}>
      <ChoiceChip address={address} field="status" name={texts.status} values={valuesOf(texts.states)} />
      <CampaignChip address={address} />
      <PeriodChip address={address} />
      <NamedChip
        address={address}
        field="affiliate"
        name={texts.affiliate}
        label={first === undefined ? undefined : nameOf(first.affiliate)}
      />
      <NamedChip address={address} field="payout" name={texts.payout} label={payoutOf(first)} />
      <ChoiceChip address={address} field="kind" name={texts.kind} values={valuesOf(texts.kinds)} />
    </Filters>
  );
}

interface StatusChange {
  to_void: readonly string[];
  to_restore: readonly string[];
  run: ReturnType<typeof useSetStatus>["run"];
  busy: boolean;
  /** Whether the reason of voiding is asked. */
  voiding: boolean;
  setVoiding: (voiding: boolean) => void;
}

/** Voids or restores the selected commissions, by buttons or a shortcut. */
function useStatusChange(selected: readonly MatchingRow[]): StatusChange {
  const may_change = useMay("admin");
  const { run, busy } = useSetStatus();
  const idsIn = (voided: boolean) =>
    selected.filter(({ state }) => (state === "voided") === voided).map(({ id }) => id);
  const [to_void, to_restore] = [idsIn(false), idsIn(true)];
  const [voiding, setVoiding] = useState(false);
  useShortcuts(
    may_change ? [{ keys: "v", label: texts.void, run: () => setVoiding(to_void.length > 0) }] : [],
  );
  return { to_void, to_restore, run, busy, voiding, setVoiding };
}

function StatusActions({ change }: { change: StatusChange }) {
  const { to_void, to_restore, run, busy, voiding, setVoiding } = change;
  return (
    <>
      {to_void.length > 0 && (
        <Button look="danger" busy={busy} onClick={() => setVoiding(true)}>
          {texts.void}
        </Button>
      )}
      {voiding && (
        <Suspense>
          <VoidDialog
            count={to_void.length}
            open
            onClose={() => setVoiding(false)}
            onVoid={(reason) => run("void", to_void, reason)}
          />
        </Suspense>
      )}
      {to_restore.length > 0 && (
        <Button busy={busy} onClick={() => run("restore", to_restore)}>
          {texts.restore}
        </Button>
      )}
    </>
  );
}
