import { Button, ButtonLink } from "@findersfee/ui/components/button";
import { Notice } from "@findersfee/ui/components/notice";
import { Time } from "@findersfee/ui/components/values";
import { useSelection } from "@findersfee/ui/lists/selection";
import { Page, PageTabs } from "@findersfee/ui/shell/page";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { Wallet } from "lucide-react";
import { useMemo, useState } from "react";
import { ChoiceChip } from "../lists/choice-chip.tsx";
import { Filters } from "../lists/filters.tsx";
import { Rows } from "../lists/rows.tsx";
import { type ListAddress, useListAddress } from "../lists/use-list-address.ts";
import { Views } from "../lists/views/views.tsx";
import { useMay, useSession } from "../session/session.tsx";
import { useChange } from "../session/use-change.ts";
import { ForbiddenPage, isForbidden } from "../shell/forbidden-page.tsx";
import { HoldDialog, StartDialog } from "./dialogs.tsx";
import { monthOf } from "./month.ts";
import { includedOf, payoutsOf } from "./next-run-card.tsx";
import { previewColumns } from "./preview-columns.tsx";
import { type PreviewRow, previewQuery, type Summary, summaryQuery } from "./queries.ts";
import { payerOf } from "./status.tsx";
import { PREVIEW_OUTCOMES, SummaryCards } from "./summary-cards.tsx";
import { texts } from "./texts.ts";

const route = getRouteApi("/o/$slug/payouts/next");

type Address = ListAddress<"part" | "currency">;

/** The payees of the next run, and the affiliates it will not pay, with the reasons. */
export function NextRunPage() {
  const session = useSession();
  const { home, organization } = session;
  const address: Address = useListAddress(`${home}/payouts/next`, route.useSearch());
  const summary = useQuery(summaryQuery(session));
  const preview = useQuery(previewQuery(session, address.search));
  const [starting, setStarting] = useState<"all" | readonly string[] | null>(null);
  const [holding, setHolding] = useState<readonly string[] | null>(null);
  const release = useRelease();
  const may_start = useMay("admin");
  const { data } = summary;
  const has_portal = organization.test_of === null;
  const columns = useMemo(() => previewColumns(data?.totals ?? [], has_portal), [data?.totals, has_portal]);
  const selection = useSelection((preview.data?.data ?? []).filter((row) => lockOf(row) === null).map(keyOf));
  if (isForbidden(preview.error)) return <ForbiddenPage error={preview.error} />;
  const title = data === undefined ? texts.next_run : texts.next_run_of(monthOf(nextPeriod(data)));
  const can_start = may_start && data !== undefined && includedOf(data).length > 0;
  return (
    <Page
      title={title}
      document_title={`${title} · ${organization.name}`}
      parent={{ to: `${home}/payouts`, label: texts.title }}
      beside={data !== undefined && <AsOf at={data.as_of} />}
      actions={
        can_start && (
          <Button look="solid" onClick={() => setStarting("all")}>
            {texts.start}
          </Button>
        )
      }
    >
      {data !== undefined && <Started summary={data} />}
      {data !== undefined && <Hints summary={data} />}
      {data !== undefined && <SummaryCards totals={data.totals} address={address} />}
      {(data === undefined || data.totals.length > 0 || address.is_filtered) && (
        <>
          <Parts summary={data} address={address} />
          <PreviewFilters summary={data} address={address} />
        </>
      )}
      <Rows
        label={title}
        address={address}
        query={preview}
        columns={columns}
        keyOf={keyOf}
        nameOf={({ affiliate_name }) => affiliate_name}
        {...(may_start ? { selection, lockOf } : {})}
        actions={
          <>
            <Button onClick={() => setStarting(chosenOf(selection.keys))}>{texts.pay_selected}</Button>
            <Button onClick={() => setHolding(chosenOf(selection.keys))}>{texts.leave_out}</Button>
            <Button onClick={() => release(chosenOf(selection.keys))}>{texts.release}</Button>
          </>
        }
        linkTo={({ affiliate_id }) => `${home}/commissions?affiliate=${affiliate_id}`}
        empty={{
          icon: Wallet,
          nothing_yet: texts.nobody_unpaid,
          hint: texts.nobody_unpaid_hint,
          nothing_matches: texts.no_affiliate_matches,
        }}
      />
      <StartDialog
        {...(starting === null || starting === "all" ? {} : { affiliate_ids: starting })}
        open={starting !== null}
        onClose={() => setStarting(null)}
      />
      <HoldDialog affiliate_ids={holding ?? []} open={holding !== null} onClose={() => setHolding(null)} />
    </Page>
  );
}

/** Hints that the cards below lack. */
function Hints({ summary }: { summary: Summary }) {
  const { totals, affiliates, missing_rates } = summary;
  return (
    <>
      {totals.length > 1 && (
        <p className="pt-2 text-table text-muted">
          {includedOf(summary).length > 0 &&
            `${texts.next_pays(texts.payouts_to(payoutsOf(summary), affiliates))}. `}
          {texts.row_for_each_currency}
        </p>
      )}
      {missing_rates !== undefined && (
        <p className="pt-2 text-table text-warn">{texts.rates_missing(missing_rates)}</p>
      )}
    </>
  );
}

/** Lets runs pay affiliates again who were left out. */
function useRelease(): (affiliate_ids: readonly string[]) => void {
  const { api } = useSession();
  const { change } = useChange("payout-runs");
  return (affiliate_ids) =>
    change({
      run: () => api.dashboard.payout_runs.release.mutate({ affiliate_ids: [...affiliate_ids] }),
      toast: ({ changed }) => ({ text: texts.released(changed) }),
    });
}

const keyOf = ({ affiliate_id, currency }: PreviewRow) => `${affiliate_id} ${currency}`;

/** The affiliates of rows, each once. */
const chosenOf = (keys: readonly string[]) => [...new Set(keys.flatMap((key) => key.split(" ")[0] ?? []))];

/** Why an affiliate cannot be paid alone. */
function lockOf({ outcome }: PreviewRow): string | null {
  return outcome === "held" || outcome === "negative" ? texts.nothing_due : null;
}

function PreviewFilters({ summary, address }: { summary: Summary | undefined; address: Address }) {
  const currencies = summary?.totals.map(({ currency }) => ({ value: currency, label: currency })) ?? [];
  return (
    <Filters address={address} label={texts.search_affiliate}>
      {currencies.length > 1 && (
        <ChoiceChip address={address} field="currency" name={texts.currency} values={currencies} />
      )}
      <Views list="next_run" address={address} />
    </Filters>
  );
}

/** The month after a run of this month. */
function nextPeriod({ period, run }: Summary): string {
  if (run === null) return period;
  const month = new Date(`${period}-01T00:00:00Z`);
  month.setUTCMonth(month.getUTCMonth() + 1);
  return month.toISOString().slice(0, 7);
}

function AsOf({ at }: { at: string }) {
  return (
    <span className="text-table">
      {texts.as_of} <Time at={at} />
    </span>
  );
}

function Started({ summary: { run, period } }: { summary: Summary }) {
  const { home } = useSession();
  if (run === null) return null;
  const { id, created_at, started_by, started_by_name } = run;
  return (
    <div className="pt-2 pb-1">
      <Notice
        tone="info"
        title={texts.started_this_month(monthOf(period))}
        actions={<ButtonLink to={`${home}/payouts/runs/${id}`}>{texts.show_run}</ButtonLink>}
      >
        <p>
          {texts.started} <Time at={created_at} />{" "}
          <bdi>{texts.by(payerOf({ name: started_by_name, actor: started_by }))}</bdi>. {texts.for_next_month}
        </p>
      </Notice>
    </div>
  );
}

/** The preview's parts, each with an address and its number of rows: an affiliate has one in each currency. */
function Parts({ summary, address }: { summary: Summary | undefined; address: Address }) {
  const { part, text, currency, rows } = address.search;
  const countOf = (name: (typeof PREVIEW_OUTCOMES)[number]) =>
    summary?.totals
      .filter((total) => currency === undefined || total.currency === currency)
      .reduce((sum, total) => sum + (total[name]?.payees ?? 0), 0);
  const tabOf = (name: (typeof PREVIEW_OUTCOMES)[number] | undefined, label: string) => {
    const count = name === undefined ? undefined : countOf(name);
    return {
      to: address.hrefWith({ part: name, text, currency, rows }),
      label,
      current: part === name,
      ...(count === undefined ? {} : { count }),
    };
  };
  const shown = PREVIEW_OUTCOMES.filter((name) => countOf(name) !== 0 || part === name);
  return (
    <PageTabs
      label={texts.parts_label}
      tabs={[tabOf(undefined, texts.all), ...shown.map((name) => tabOf(name, texts.parts[name]))]}
    />
  );
}
