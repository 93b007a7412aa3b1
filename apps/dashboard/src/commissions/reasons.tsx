import { Card } from "@findersfee/ui/components/card";
import { Candidates } from "../attribution/candidates.tsx";
import { Earning } from "../attribution/earning.tsx";
import { useSession } from "../session/session.tsx";
import type { Story } from "./queries.ts";
import { story_texts } from "./story-texts.ts";

/** The reasons for the amount of a commission, and for its affiliate. */
export function Reasons({ story: { decision, candidates } }: { story: Story }) {
  const { organization } = useSession();
  return (
    <>
      {decision !== null && (
        <Card title={story_texts.money}>
          <Earning payment={decision} fixed_currency={organization.currency} />
        </Card>
      )}
      {candidates.length > 0 && (
        <Card title={story_texts.why}>
          <Candidates candidates={candidates} />
        </Card>
      )}
    </>
  );
}
