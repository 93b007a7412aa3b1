import { useClock } from "@findersfee/ui/components/clock";
import { Checkbox } from "@findersfee/ui/components/controls";
import { formatDay } from "@findersfee/ui/formats/dates";
import { daysOf } from "@findersfee/ui/lists/days";
import { Menu } from "@findersfee/ui/overlays/menu";
import { lazyPart } from "@findersfee/ui/requests/lazy-part";
import { Page } from "@findersfee/ui/shell/page";
import { useShortcuts } from "@findersfee/ui/shell/shortcuts";
import { useQuery } from "@tanstack/react-query";
import { ChevronDown } from "lucide-react";
import { Suspense, useState } from "react";
import { campaignsQuery } from "../../campaigns/queries.ts";
import { PeriodDialog } from "../../lists/period-dialog.tsx";
import { type ListAddress, useListAddress } from "../../lists/use-list-address.ts";
import { useUsableMark } from "../../requests/usable.ts";
import { useSession } from "../../session/session.tsx";
import { CurrencyMenu } from "../currency-menu.tsx";
import { NeedsYou } from "./needs-you.tsx";
import { overviewQuery } from "./queries.ts";
import { DEFAULT_PERIOD, rangeOf, unitOf } from "./range.ts";
import type { OverviewSearch, SeriesName } from "./search.ts";
import { texts } from "./texts.ts";
import { TotalsSection } from "./totals.tsx";

/** The lower part of the page. */
const Cards = lazyPart(() => import("./cards.tsx"), "Cards");

type Address = ListAddress<keyof OverviewSearch>;

/** Is it going well, and what must I do now? */
export function Overview({ search }: { search: OverviewSearch }) {
  const session = useSession();
  const { organization, home } = session;
  const address: Address = useListAddress(home, search);
  const query = useQuery(overviewQuery(session, search));
  useUsableMark(query.data);
  const { currency = organization.currency } = search;
  usePeriodKeys(address);
  return (
    <Page
      title={texts.title}
      document_title={`${texts.title} · ${organization.name}`}
      actions={<Controls address={address} currency={currency} />}
    >
      <div className="grid gap-4 pt-2 pb-12">
        <NeedsYou />
        <TotalsSection
          query={query}
          series={(search.series ?? "revenue") as SeriesName}
          unit={unitOf(search.unit, rangeOf(search.period, organization.time_zone))}
          compares={search.compare !== "no"}
          onSeries={(series) => address.change({ series })}
          onUnit={(unit) => address.change({ unit })}
        />
        <Suspense>
          <Cards query={query} currency={currency} period={search.period} />
        </Suspense>
      </div>
    </Page>
  );
}

const KEYS = { "7d": "t 7", "30d": "t 3", "90d": "t 9", "365d": "t y" };

function usePeriodKeys({ change }: Address): void {
  useShortcuts(
    Object.entries(KEYS).map(([period, keys]) => ({
      keys,
      label: texts.show_period(texts.periods[period] ?? period),
      run: () => change({ period }),
    })),
  );
}

/** The choice of days, campaign and currency. */
function Controls({ address, currency }: { address: Address; currency: string }) {
  const { search, change } = address;
  return (
    <fieldset aria-label={texts.filters} className="flex flex-wrap items-center gap-2">
      <Period address={address} />
      <div className="max-wide:order-last">
        <Checkbox
          label={texts.compare}
          checked={search.compare !== "no"}
          onChange={({ target }) => change({ compare: target.checked ? undefined : "no" })}
          className="px-1 text-table max-wide:px-0"
        />
      </div>
      <Campaign address={address} />
      <CurrencyMenu currency={currency} onChange={(code) => change({ currency: code })} />
    </fieldset>
  );
}

function Period({ address: { search, change } }: { address: Address }) {
  const clock = useClock();
  const [choosing, setChoosing] = useState(false);
  const days = daysOf(search.period);
  const dayOf = (day: string) => formatDay(new Date(`${day}T00:00`), clock);
  const { period = DEFAULT_PERIOD } = search;
  const label = days === null ? texts.periods[period] : `${dayOf(days.first)} – ${dayOf(days.last)}`;
  return (
    <>
      <Menu
        align="end"
        items={[
          ...Object.entries(texts.periods).map(([value, name]) => ({
            kind: "choice" as const,
            id: value,
            label: name,
            chosen: value === period,
            run: () => change({ period: value }),
          })),
          { kind: "action", id: "own", label: texts.own_period, run: () => setChoosing(true) },
        ]}
      >
        {label}
        <ChevronDown aria-hidden size={14} />
      </Menu>
      <PeriodDialog
        days={days}
        open={choosing}
        onClose={() => setChoosing(false)}
        onChoose={(chosen) => change({ period: chosen })}
      />
    </>
  );
}

function Campaign({ address: { search, change } }: { address: Address }) {
  const { data } = useQuery(campaignsQuery(useSession()));
  if (data === undefined || data.data.length < 2) return null;
  const chosen = data.data.find(({ id }) => id === search.campaign);
  const choices = [{ id: undefined, name: texts.all_campaigns }, ...data.data];
  return (
    <Menu
      align="end"
      className="max-w-60"
      items={choices.map(({ id, name }) => ({
        kind: "choice" as const,
        id: id ?? "all",
        label: name,
        chosen: id === search.campaign,
        run: () => change({ campaign: id }),
      }))}
    >
      <span className="truncate">{chosen?.name ?? texts.all_campaigns}</span>
      <ChevronDown aria-hidden size={14} />
    </Menu>
  );
}
