import { TimeSeries } from "@findersfee/ui/charts/time-series";
import { Card } from "@findersfee/ui/components/card";
import { formatMoneyShort } from "@findersfee/ui/formats/money";
import { lazyPart } from "@findersfee/ui/requests/lazy-part";
import { useTexts as useComponentTexts } from "@findersfee/ui/texts";
import { ChevronRight } from "lucide-react";
import { Suspense, useState } from "react";
import { useTexts } from "../language/language.tsx";
import { type Formats, useFormats } from "../language/use-formats.ts";
import type { Texts } from "../texts/texts.ts";
import type { Home } from "./queries.ts";

const SubIds = lazyPart(() => import("../tracking/sub-ids.tsx"), "SubIds");

/** Letters of an amount that fit beside the other figures. */
const LONG = 10;

/** A figure of the last days, with its course. */
interface Figure {
  id: string;
  label: string;
  total: string;
  /** In a few letters, if the total is long. */
  short?: string;
  values: readonly number[];
  /** Explains the counted number. */
  hint?: string;
  format: (value: number) => string;
  formatTick: (value: number) => string;
}

/** From clicks to money, and the course of one of these figures. */
export function LastDays({ last_days }: { last_days: Home["last_days"] }) {
  const { home } = useTexts();
  const formats = useFormats();
  const { locale } = useComponentTexts();
  const figures = figuresOf(last_days, { home, formats, locale });
  const [chosen_id, setChosen] = useState("clicks");
  const [with_sub_ids, setWithSubIds] = useState(false);
  const chosen = figures.find(({ id }) => id === chosen_id) ?? figures[0];
  const is_empty =
    last_days.clicks + last_days.signups + last_days.conversions + last_days.earned.length === 0;
  return (
    <Card title={home.last_days}>
      <div className="-mx-1 grid grid-cols-2 gap-1 tablet:flex tablet:flex-wrap">
        {figures.map((figure) => (
          <FigureButton
            key={figure.id}
            figure={figure}
            is_chosen={figure === chosen}
            onChoose={() => setChosen(figure.id)}
          />
        ))}
      </div>
      {is_empty ? (
        <p className="mt-4 text-muted">{home.no_clicks}</p>
      ) : (
        chosen !== undefined && (
          <div className="mt-3">
            <TimeSeries
              key={chosen.id}
              title={chosen.label}
              summary={home.summary(chosen.label, chosen.total)}
              points={chosen.values.map((value, index) => {
                const day = formats.date(last_days.days[index]?.day ?? "");
                // The last of these days is today.
                return { label: day, value, is_open: index === chosen.values.length - 1 };
              })}
              formatValue={chosen.format}
              formatTick={chosen.formatTick}
              height={150}
              caption={[chosen.hint, home.days_in(last_days.time_zone)].filter(Boolean).join(" ")}
            />
          </div>
        )
      )}
      {!is_empty && (
        <details
          className="group mt-3 border-t border-line pt-1"
          onToggle={(event) => setWithSubIds(event.currentTarget.open)}
        >
          <summary className="flex min-h-11 list-none items-center gap-1 text-table font-medium [&::-webkit-details-marker]:hidden">
            <ChevronRight aria-hidden size={16} className="group-open:rotate-90" />
            {home.sub_ids}
          </summary>
          <Suspense>{with_sub_ids && <SubIds />}</Suspense>
        </details>
      )}
    </Card>
  );
}

function FigureButton({
  figure: { label, total, short = total },
  is_chosen,
  onChoose,
}: {
  figure: Figure;
  is_chosen: boolean;
  onChoose: () => void;
}) {
  return (
    <button
      type="button"
      aria-pressed={is_chosen}
      onClick={onChoose}
      className="grid min-w-0 flex-auto content-start tablet:min-w-24 justify-items-start rounded-control border border-transparent px-2 py-2 text-left tablet:px-3 hover:bg-hover aria-pressed:border-accent aria-pressed:bg-pick"
    >
      <span className="text-table text-muted">{label}</span>
      <span
        className="max-w-full truncate text-lead font-medium tabular-nums tablet:text-title"
        title={total}
      >
        {short}
      </span>
    </button>
  );
}

function figuresOf(
  { clicks, signups, conversions, days, earned }: Home["last_days"],
  { home, formats, locale }: { home: Texts["home"]; formats: Formats; locale: string },
): Figure[] {
  const { number, money } = formats;
  const counted = { format: number, formatTick: number };
  return [
    {
      id: "clicks",
      label: home.clicks,
      total: number(clicks),
      values: days.map((day) => day.clicks),
      hint: home.clicks_hint,
      ...counted,
    },
    {
      id: "signups",
      label: home.signups,
      total: number(signups),
      values: days.map((day) => day.signups),
      ...counted,
    },
    {
      id: "conversions",
      label: home.converted,
      total: number(conversions),
      values: days.map((day) => day.conversions),
      ...counted,
    },
    ...earned.map(({ currency, amount, days: values }) => ({
      id: currency,
      label: earned.length === 1 ? home.earned : `${home.earned} ${currency}`,
      total: money(amount, currency),
      ...(money(amount, currency).length > LONG ? { short: formatMoneyShort(amount, currency, locale) } : {}),
      values,
      format: (value: number) => money(value, currency),
      formatTick: (value: number) => formatMoneyShort(value, currency, locale),
    })),
  ];
}
