import { SelectField } from "@findersfee/ui/components/controls";
import { useToast } from "@findersfee/ui/overlays/toast";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { FileUp } from "lucide-react";
import { type DragEvent, useId, useState } from "react";
import { useMay, useSession } from "../session/session.tsx";
import type { PayoutFile, Run } from "./queries.ts";
import { sendReport } from "./report.ts";
import { ReportResult } from "./report-result.tsx";
import { run_texts } from "./run-texts.ts";
import { countsOf } from "./totals.ts";

type Format = PayoutFile["format"];

const FORMATS: readonly Format[] = ["paypal", "wise", "csv"];

/** Drop a report, see the changes it would make, apply it. */
export function ReportStep({ run }: { run: Run }) {
  const may_import = useMay("admin");
  if (!may_import) return <p className="text-table text-muted">{run_texts.no_report_role}</p>;
  // A report can also say that paid money came back.
  const { open, paid } = countsOf(run);
  if (open + paid === 0) return <p className="text-table text-muted">{run_texts.nothing_open}</p>;
  return <Import run={run} />;
}

function Import({ run }: { run: Run }) {
  const { organization } = useSession();
  const client = useQueryClient();
  const toast = useToast();
  const [format, setFormat] = useState<Format>(run.method === "manual" ? "paypal" : run.method);
  const [file, setFile] = useState<File | null>(null);
  const reportOf = (chosen: File) => ({
    organization_id: organization.id,
    run_id: run.id,
    format,
    file: chosen,
  });
  const check = useMutation({
    mutationFn: (chosen: File) => sendReport(reportOf(chosen), { apply: false }),
  });
  const apply = useMutation({
    mutationFn: (chosen: File) => sendReport(reportOf(chosen), { apply: true }),
    onSuccess: ({ paid, failed }) => {
      reset();
      toast({ text: run_texts.applied(paid, failed) });
    },
    // Without an answer it is not known whether the report was applied; the sums say so.
    onSettled: () => client.invalidateQueries({ queryKey: [organization.id] }),
  });
  const reset = () => {
    setFile(null);
    check.reset();
    apply.reset();
  };
  const choose = (chosen: File) => {
    reset();
    setFile(chosen);
    check.mutate(chosen);
  };
  return (
    <div className="grid gap-3">
      <SelectField
        label={run_texts.report_kind}
        value={format}
        disabled={check.isPending || apply.isPending}
        onChange={(event) => {
          reset();
          setFormat(event.target.value as Format);
        }}
      >
        {FORMATS.map((value) => (
          <option key={value} value={value}>
            {run_texts.report_kinds[value]}
          </option>
        ))}
      </SelectField>
      {file === null ? (
        <DropZone onFile={choose} />
      ) : (
        <ReportResult
          name={file.name}
          checked={check.data}
          error={apply.error ?? check.error}
          applying={apply.isPending}
          onApply={() => apply.mutate(file)}
          onReset={reset}
        />
      )}
    </div>
  );
}

/** A file input that also takes dropped files. */
function DropZone({ onFile }: { onFile: (file: File) => void }) {
  const hint_id = useId();
  const [over, setOver] = useState(false);
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    const [file] = event.dataTransfer.files;
    if (file !== undefined) onFile(file);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the input inside takes files by keyboard
    <div
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      <label
        className={`grid justify-items-center gap-1 rounded-card border border-dashed px-4 py-5 text-center text-table has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent ${over ? "border-accent bg-pick" : "border-edge hover:bg-hover"}`}
      >
        <FileUp aria-hidden size={18} className="text-muted" />
        <span className="font-medium">{run_texts.drop}</span>
        <span id={hint_id} className="text-muted">
          {run_texts.drop_hint}
        </span>
        <input
          type="file"
          accept=".csv,text/csv"
          aria-label={run_texts.drop}
          aria-describedby={hint_id}
          className="sr-only"
          onChange={(event) => {
            const file = event.target.files?.[0];
            if (file !== undefined) onFile(file);
          }}
        />
      </label>
    </div>
  );
}
