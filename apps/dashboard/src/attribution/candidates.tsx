import type { ExplainedCandidate } from "@findersfee/contract/attribution/payment-rows";
import { State, type StateTone } from "@findersfee/ui/components/state";
import { Time, Untrusted } from "@findersfee/ui/components/values";
import { shortId } from "@findersfee/ui/formats/ids";
import { nameOf } from "../affiliates/name.ts";
import { hostOf, pathOf } from "./addresses.ts";
import { resultName, shownReference } from "./result-texts.ts";
import { texts } from "./texts.ts";

const TONES: Partial<Record<ExplainedCandidate["result"], StateTone>> = {
  won: "done",
  affiliate_banned: "warning",
  affiliate_unapproved: "warning",
};

/** The promo codes and clicks that were looked at, in the order in which they count. */
export function Candidates({ candidates }: { candidates: readonly ExplainedCandidate[] }) {
  if (candidates.length === 0) return <p className="text-muted">{texts.no_candidates}</p>;
  return (
    <ol className="grid grid-cols-1">
      {candidates.map((candidate, index) => (
        <li
          key={`${candidate.source} ${candidate.reference}`}
          className="grid grid-cols-[20px_minmax(0,1fr)] gap-x-2 border-line py-3 not-first:border-t first:pt-0 last:pb-0"
        >
          <span className="text-table text-muted tabular-nums">{index + 1}</span>
          <Candidate candidate={candidate} />
        </li>
      ))}
    </ol>
  );
}

/** One of them. */
export function Candidate({ candidate }: { candidate: ExplainedCandidate }) {
  const { source, result, affiliate, click } = candidate;
  return (
    <div className="grid min-w-0 grid-cols-1 gap-0.5">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4">
        <p className="min-w-0 font-medium">
          {texts.sources[source]}{" "}
          <code className="font-mono text-meta font-normal break-all">
            {click?.code ?? shownReference(candidate, shortId)}
          </code>
        </p>
        <span className="text-table">
          <State tone={TONES[result] ?? "none"}>
            {resultName(candidate)}
            <Days candidate={candidate} />
          </State>
        </span>
      </div>
      {affiliate !== null && (
        <div className="text-table text-muted">
          <Untrusted lines={1}>{nameOf(affiliate)}</Untrusted>
        </div>
      )}
      {click !== null && <Click candidate={candidate} click={click} />}
    </div>
  );
}

function Days({ candidate: { result, age_days, cookie_duration } }: { candidate: ExplainedCandidate }) {
  if (result !== "click_expired" || age_days === null || cookie_duration === null) return null;
  return `, ${texts.days_of(age_days, cookie_duration)}`;
}

function Click({
  candidate: { age_days },
  click: { clicked_at, landing_url, referrer },
}: {
  candidate: ExplainedCandidate;
  click: NonNullable<ExplainedCandidate["click"]>;
}) {
  return (
    <p className="text-table text-muted">
      <Time at={clicked_at} />
      {age_days !== null && age_days >= 0 && (
        <>, {age_days === 0 ? texts.same_day : texts.days_before(age_days)}</>
      )}
      {landing_url !== null && <span dir="auto"> {texts.landed_on(pathOf(landing_url))}</span>}
      {referrer !== null && <span dir="auto"> {texts.came_from(hostOf(referrer))}</span>}
    </p>
  );
}
