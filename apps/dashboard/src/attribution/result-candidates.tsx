import type { DryRun } from "@findersfee/contract/attribution/payment-decisions";
import { State } from "@findersfee/ui/components/state";
import { shortId } from "@findersfee/ui/formats/ids";
import { RESULT_NAMES } from "./result-texts.ts";
import { texts } from "./texts.ts";

/** The candidates of a payment that was only tried: without the names and clicks behind them. */
export function ResultCandidates({ candidates }: { candidates: DryRun["explanation"]["candidates"] }) {
  if (candidates.length === 0) return <p className="text-table text-muted">{texts.no_candidates}</p>;
  return (
    <ul className="grid gap-1 text-table">
      {candidates.map(({ source, reference, result }) => (
        <li key={`${source} ${reference}`} className="flex flex-wrap justify-between gap-x-4">
          <span>
            {texts.sources[source]}{" "}
            <code className="font-mono text-meta">
              {source === "promo_code" ? reference : shortId(reference)}
            </code>
          </span>
          <State tone={result === "won" ? "done" : "none"}>{RESULT_NAMES[result]}</State>
        </li>
      ))}
    </ul>
  );
}
