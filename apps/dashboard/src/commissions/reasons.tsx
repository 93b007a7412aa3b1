import { Card } from "@findersfee/ui/components/card";
import { Candidates } from "../attribution/candidates.tsx";
import { Earning } from "../attribution/earning.tsx";
import { OverrideSentence } from "../attribution/overrides/override-sentence.tsx";
import { ReferredBy } from "../attribution/referred-by.tsx";
import { useSession } from "../session/session.tsx";
import type { Story } from "./queries.ts";
import { story_texts } from "./story-texts.ts";

/** The reasons for the amount of a commission, and for its affiliate. */
export function Reasons({
  story: { commission, decision, candidates, referred_by, override, remaining },
}: {
  story: Story;
}) {
  const { organization } = useSession();
  const is_by_hand =
    decision !== null && decision.commission_id !== (commission.reversal_of ?? commission.id);
  return (
    <>
      {decision !== null && (
        <Card title={story_texts.money}>
          <Earning
            payment={decision}
            fixed_currency={organization.currency}
            remaining={remaining}
            set_by_hand={is_by_hand ? startOf(remaining) : null}
          />
        </Card>
      )}
      {(candidates.length > 0 || referred_by !== null || override !== null) && (
        <Card title={story_texts.why}>
          {override !== null && (
            <div className="not-last:mb-3">
              <OverrideSentence override={override} />
            </div>
          )}
          {referred_by !== null && <ReferredBy referred_by={referred_by} />}
          {candidates.length > 0 && <Candidates candidates={candidates} />}
        </Card>
      )}
    </>
  );
}

/** The amount before all changes. */
function startOf({ amount, changes }: Story["remaining"]): number {
  return changes.reduce((rest, change) => rest - change.amount, amount);
}
