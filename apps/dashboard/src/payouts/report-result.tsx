import type { ImportedResults } from "@findersfee/contract/payouts/files";
import { Button } from "@findersfee/ui/components/button";
import { Notice } from "@findersfee/ui/components/notice";
import { Money, Untrusted } from "@findersfee/ui/components/values";
import { failureOf } from "@findersfee/ui/requests/failure";
import { run_texts } from "./run-texts.ts";
import { sayResults } from "./totals.ts";

export interface ReportResultProps {
  name: string;
  /** Undefined while it is checked. */
  checked: ImportedResults | undefined;
  error: unknown;
  applying: boolean;
  onApply: () => void;
  onReset: () => void;
}

/** The changes by a report, or the reason why it was refused. */
export function ReportResult({ name, checked, error, applying, onApply, onReset }: ReportResultProps) {
  const can_apply = checked !== undefined && error === null && checked.paid + checked.failed > 0;
  return (
    <div role="status" className="grid gap-3 text-table">
      {error !== null && <Refused error={error} />}
      {error === null && checked === undefined && <p className="text-muted">{run_texts.checking}</p>}
      {error === null && checked !== undefined && <Checked name={name} checked={checked} />}
      <div className="flex flex-wrap gap-2">
        {can_apply && (
          <Button look="solid" busy={applying} onClick={onApply}>
            {run_texts.apply}
          </Button>
        )}
        {(checked !== undefined || error !== null) && !applying && (
          <Button onClick={onReset}>{run_texts.other_file}</Button>
        )}
      </div>
    </div>
  );
}

function Checked({ name, checked }: { name: string; checked: ImportedResults }) {
  const { paid, failed, open, unchanged, skipped, failures } = checked;
  return (
    <>
      <div className="min-w-0">
        <Untrusted lines={1}>{run_texts.checked(name)}</Untrusted>
        <p className="tabular-nums">
          <span className="text-muted">{run_texts.lines(paid + failed + open + unchanged + skipped)}: </span>
          <span className="font-medium">{sayResults(checked)}</span>
        </p>
      </div>
      {failures.length > 0 && (
        <ul className="grid gap-2 border-t border-line pt-2">
          {failures.map(({ payout_id, affiliate_name, amount, currency, reason }) => (
            <li key={payout_id} className="min-w-0">
              <p className="flex justify-between gap-3">
                <Untrusted lines={1}>{affiliate_name}</Untrusted>
                <Money amount={amount} currency={currency} />
              </p>
              <div className="text-bad">
                <Untrusted>{reason}</Untrusted>
              </div>
            </li>
          ))}
        </ul>
      )}
      <Skipped checked={checked} />
    </>
  );
}

/** The first lines that change nothing because they are of other payments, each with its number. */
function Skipped({ checked: { skipped, skipped_lines } }: { checked: ImportedResults }) {
  if (skipped === 0) return null;
  return (
    <Notice tone="info" title={run_texts.skipped(skipped)}>
      {skipped_lines.map(({ line, message }) => (
        <p key={line} dir="auto">
          <span className="font-medium">{run_texts.line(line)}:</span> {message}
        </p>
      ))}
      {skipped > skipped_lines.length && <p>{run_texts.more_lines(skipped - skipped_lines.length)}</p>}
    </Notice>
  );
}

/** The first invalid lines, each with its number. */
function Refused({ error }: { error: unknown }) {
  const { message, issues, status } = failureOf(error);
  return (
    <Notice tone="bad" title={status === 0 ? message : run_texts.refused} alert>
      {issues.length === 0
        ? status !== 0 && message
        : issues.map(({ path, message: problem }) => (
            <p key={path} dir="auto">
              <span className="font-medium">{path}:</span> {problem}
            </p>
          ))}
    </Notice>
  );
}
