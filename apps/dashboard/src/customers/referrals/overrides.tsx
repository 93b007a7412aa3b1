import { Button } from "@findersfee/ui/components/button";
import { Card } from "@findersfee/ui/components/card";
import { Notice } from "@findersfee/ui/components/notice";
import { lazyPart } from "@findersfee/ui/requests/lazy-part";
import { Suspense, useState } from "react";
import { DecisionAuthor, OverrideSentence, Reason } from "../../attribution/overrides/override-sentence.tsx";
import { sentence_texts as texts } from "../../attribution/overrides/sentence-texts.ts";
import { Undoable } from "../../attribution/overrides/undoable.tsx";
import { useMay } from "../../session/session.tsx";
import type { Timeline } from "./queries.ts";

const ResumeDialog = lazyPart(() => import("../../attribution/overrides/stop-dialogs.tsx"), "ResumeDialog");

type Override = Timeline["overrides"][number];

/** The stop that is in force. */
export function stopOf(overrides: readonly Override[]): Override | null {
  return (
    overrides.find(
      ({ type, ended_at, undone_at }) => type === "stop" && ended_at === null && undone_at === null,
    ) ?? null
  );
}

/** Says that the customer is stopped, with the button that ends it. */
export function StopNotice({ timeline: { referral, overrides } }: { timeline: Timeline }) {
  const may_change = useMay("admin");
  const [resuming, setResuming] = useState(false);
  const stop = stopOf(overrides);
  return (
    <>
      {stop !== null && (
        <div className="pb-2">
          <Notice
            tone="warn"
            title={texts.stopped_title}
            actions={may_change && <Button onClick={() => setResuming(true)}>{texts.resume}</Button>}
          >
            <OverrideSentence override={stop} />
          </Notice>
        </div>
      )}
      {resuming && stop !== null && (
        <Suspense>
          <ResumeDialog id={stop.id} email={referral.email} onClose={() => setResuming(false)} />
        </Suspense>
      )}
    </>
  );
}

/** The customer's overrides, the newest first. */
export function Overrides({ overrides }: Pick<Timeline, "overrides">) {
  return (
    <Card title={texts.title}>
      <ol className="grid grid-cols-1">
        {overrides.map((override) => (
          <li key={override.id} className="border-line py-3 not-first:border-t first:pt-0 last:pb-0">
            <Undoable override={override}>
              <OverrideSentence override={override} struck={override.undone_at !== null} />
              {override.changes.map(({ change, at, actor, actor_name, reason }) => (
                <div key={change} className="pt-1">
                  <p className="wrap-anywhere">
                    {texts.changes[change]} <DecisionAuthor actor={actor} actor_name={actor_name} at={at} />
                  </p>
                  {reason !== null && <Reason>{reason}</Reason>}
                </div>
              ))}
            </Undoable>
          </li>
        ))}
      </ol>
    </Card>
  );
}
