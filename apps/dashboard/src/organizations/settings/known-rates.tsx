import { USED_DAYS } from "@findersfee/contract/exchange-rates";
import { Button } from "@findersfee/ui/components/button";
import { useClock } from "@findersfee/ui/components/clock";
import { Section } from "@findersfee/ui/components/section";
import { State } from "@findersfee/ui/components/state";
import { formatDay } from "@findersfee/ui/formats/dates";
import { type Column, Table } from "@findersfee/ui/lists/table";
import { useToast } from "@findersfee/ui/overlays/toast";
import { failureOf } from "@findersfee/ui/requests/failure";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useId, useRef, useState } from "react";
import { useSession } from "../../session/session.tsx";
import { ConversionProblems } from "./conversion-problems.tsx";
import { currency_texts as texts } from "./currency-texts.ts";
import { type ExchangeRates, settingsKey } from "./queries.ts";
import { RateDialog } from "./rate-dialog.tsx";

type Rate = ExchangeRates["rates"][number];

/** The newest rate of each currency, and how members add the missing ones. */
export function KnownRates({ known, may_change }: { known: ExchangeRates; may_change: boolean }) {
  const { rates, conversion } = known;
  return (
    <Section title={texts.rates} hint={texts.rates_hint}>
      <ConversionProblems conversion={conversion} />
      {rates.length === 0 ? <p className="text-muted">{texts.no_rates}</p> : <RatesTable rates={rates} />}
      {may_change && <AddRates />}
    </Section>
  );
}

function RatesTable({ rates }: { rates: readonly Rate[] }) {
  const clock = useClock();
  const columns: Column<Rate>[] = [
    {
      id: "currency",
      header: texts.currency,
      cell: ({ currency }) => currency,
      strong: true,
      narrow: "above",
      width: "w-24",
    },
    {
      id: "rate",
      header: texts.rate,
      cell: ({ rate }) => <span dir="ltr">{rate}</span>,
      align: "end",
      narrow: "above-end",
    },
    {
      id: "day",
      header: texts.day,
      cell: ({ day, age_days }) => {
        const shown = formatDay(new Date(day), { ...clock, time_zone: "UTC" });
        return age_days > USED_DAYS ? <State tone="warning">{texts.too_old(shown)}</State> : shown;
      },
      narrow: "below",
    },
    {
      id: "source",
      header: texts.source,
      cell: ({ source }) => texts.sources[source],
      narrow: "below-end",
    },
  ];
  return (
    <Table
      label={texts.rates}
      columns={columns}
      rows={rates}
      keyOf={({ currency }) => currency}
      nameOf={({ currency }) => currency}
    />
  );
}

function AddRates() {
  const session = useSession();
  const client = useQueryClient();
  const toast = useToast();
  const hint_id = useId();
  const input = useRef<HTMLInputElement>(null);
  const [adding, setAdding] = useState(false);
  const upload = useMutation({
    mutationFn: async (file: File) => {
      const imported = await session.api.dashboard.exchange_rates.import.mutate({ file: await file.text() });
      await client.invalidateQueries({ queryKey: settingsKey(session) });
      return imported;
    },
    onSuccess: ({ added, corrected }) => toast({ text: texts.uploaded(added, corrected) }),
  });
  return (
    <div className="grid gap-2">
      <div className="flex flex-wrap gap-2">
        <Button onClick={() => setAdding(true)}>{texts.add_rate}</Button>
        <Button busy={upload.isPending} aria-describedby={hint_id} onClick={() => input.current?.click()}>
          {texts.upload}
        </Button>
      </div>
      <input
        ref={input}
        type="file"
        accept=".xml,.csv,application/xml,text/xml,text/csv"
        aria-label={texts.upload}
        tabIndex={-1}
        hidden
        onChange={({ target }) => {
          const [file] = target.files ?? [];
          if (file !== undefined) upload.mutate(file);
          // The same file can be chosen again, after it was changed.
          target.value = "";
        }}
      />
      {upload.error !== null && (
        <p role="alert" className="text-table text-bad">
          {messageOf(upload.error)}
        </p>
      )}
      <p id={hint_id} className="text-table text-muted">
        {texts.upload_hint}
      </p>
      <RateDialog open={adding} onClose={() => setAdding(false)} />
    </div>
  );
}

function messageOf(error: Error): string {
  const { issues, message } = failureOf(error);
  return issues[0]?.message ?? message;
}
