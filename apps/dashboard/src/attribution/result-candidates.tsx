import type { DryRun } from "@findersfee/contract/attribution/payment-decisions";
import { State } from "@findersfee/ui/components/state";
import { shortId } from "@findersfee/ui/formats/ids";
import { resultName, shownReference } from "./result-texts.ts";
import { texts } from "./texts.ts";

/** The candidates of a payment that was only tried: without the names and clicks behind them. */
export function ResultCandidates({ candidates }: { candidates: DryRun["explanation"]["candidates"] }) {
  if (candidates.length === 0) return <p className="text-table text-muted">{texts.no_candidates}</p>;
  return (
    <ul className="grid gap-1 text-table">
      {candidates.map((candidate) => (
        <li
          key={`${candidate.source} ${candidate.reference}`}
          className="flex flex-wrap justify-between gap-x-4"
        >
          <span>
            {texts.sources[candidate.source]}{" "}
            <code className="font-mono text-meta break-all">{shownReference(candidate, shortId)}</code>
          </span>
          <State tone={candidate.result === "won" ? "done" : "none"}>{resultName(candidate)}</State>
        </li>
      ))}
    </ul>
  );
}
