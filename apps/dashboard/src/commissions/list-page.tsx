import { Button, ButtonLink } from "@findersfee/ui/components/button";
import { Empty } from "@findersfee/ui/components/empty";
import { FilterBar, FilterChip } from "@findersfee/ui/lists/filter-bar";
import { List } from "@findersfee/ui/lists/list";
import { useSelection } from "@findersfee/ui/lists/selection";
import { Page } from "@findersfee/ui/shell/page";
import { useShortcuts } from "@findersfee/ui/shell/shortcuts";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { Coins } from "lucide-react";
import { useMemo } from "react";
import { nameOf } from "../affiliates/name.ts";
import { campaignsQuery } from "../campaigns/queries.ts";
import { ForbiddenPage, isForbidden } from "../frame/forbidden-page.tsx";
import { PeriodChip } from "../lists/period-chip.tsx";
import { rowPager } from "../lists/row-pager.ts";
import { type ListAddress, useListAddress } from "../lists/use-list-address.ts";
import { FailureNotice } from "../requests/failure-notice.tsx";
import { useMay, useSession } from "../session/session.tsx";
import { commissionColumns } from "./columns.tsx";
import { type CommissionRow, commissionsQuery } from "./queries.ts";
import { readCommissionSearch } from "./search.ts";
import { texts } from "./texts.ts";
import { useSetStatus } from "./use-set-status.ts";

const route = getRouteApi("/o/$slug/commissions");

type Address = ListAddress<"status" | "affiliate" | "campaign" | "kind">;

function lockOf({ state }: CommissionRow): string | null {
  return state === "pending" || state === "paid" ? texts.locked : null;
}

/** What was earned, and where does it stand? */
export function CommissionsPage() {
  const session = useSession();
  const { organization, home } = session;
  const path = `${home}/commissions`;
  const address: Address = useListAddress(path, readCommissionSearch(route.useSearch()));
  const { data, error, isPlaceholderData, refetch } = useQuery(commissionsQuery(session, address.search));
  const columns = useMemo(() => commissionColumns(organization.currency), [organization.currency]);
  const may_change = useMay("admin");
  const rows = data?.data;
  const selection = useSelection(rows?.filter((row) => lockOf(row) === null).map(({ id }) => id) ?? []);
  const { run, busy } = useSetStatus();
  const chosen = rows?.filter(({ id }) => selection.has(id)) ?? [];
  const idsIn = (voided: boolean) =>
    chosen.filter(({ state }) => (state === "voided") === voided).map(({ id }) => id);
  const [to_void, to_restore] = [idsIn(false), idsIn(true)];
  useShortcuts(
    may_change
      ? [{ keys: "v", label: texts.void, run: () => to_void.length > 0 && run("void", to_void) }]
      : [],
  );
  if (isForbidden(error)) return <ForbiddenPage error={error} />;
  return (
    <Page title={texts.title} document_title={`${texts.title} · ${organization.name}`}>
      <Filters address={address} />
      <List
        label={texts.title}
        columns={columns}
        rows={rows}
        keyOf={({ id }) => id}
        nameOf={({ affiliate }) => nameOf(affiliate)}
        linkTo={({ id }) => `${path}/${id}`}
        busy={isPlaceholderData}
        {...(may_change ? { selection, lockOf } : {})}
        actions={
          <>
            {to_void.length > 0 && (
              <Button look="danger" busy={busy} onClick={() => run("void", to_void)}>
                {texts.void}
              </Button>
            )}
            {to_restore.length > 0 && (
              <Button busy={busy} onClick={() => run("restore", to_restore)}>
                {texts.restore}
              </Button>
            )}
          </>
        }
        failure={error === null ? undefined : <FailureNotice error={error} onRetry={() => void refetch()} />}
        empty={<NoCommissions address={address} />}
        pager={rowPager(data, address)}
      />
    </Page>
  );
}

function Filters({ address: { search, change } }: { address: Address }) {
  const { data: campaigns } = useQuery(campaignsQuery(useSession()));
  const one = (value: string | undefined) => (value === undefined ? [] : [value]);
  return (
    <FilterBar label={texts.search} text={search.text ?? ""} onText={(text) => change({ text })}>
      <FilterChip
        name={texts.status}
        values={Object.entries(texts.states).map(([value, label]) => ({ value, label }))}
        chosen={one(search.status)}
        onChoose={([status]) => change({ status })}
      />
      {campaigns !== undefined && campaigns.data.length > 1 && (
        <FilterChip
          name={texts.campaign}
          values={campaigns.data.map(({ id, name }) => ({ value: id, label: name }))}
          chosen={one(search.campaign)}
          onChoose={([campaign]) => change({ campaign })}
        />
      )}
      <PeriodChip period={search.period} onChoose={(period) => change({ period })} />
      <FilterChip
        name={texts.kind}
        values={Object.entries(texts.kinds).map(([value, label]) => ({ value, label }))}
        chosen={one(search.kind)}
        onChoose={([kind]) => change({ kind })}
      />
    </FilterBar>
  );
}

function NoCommissions({ address: { is_filtered, search, clear } }: { address: Address }) {
  const { home } = useSession();
  if (!is_filtered) {
    return (
      <Empty
        icon={Coins}
        title={texts.nothing_yet}
        action={<ButtonLink to={`${home}/payments`}>{texts.see_payments}</ButtonLink>}
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
