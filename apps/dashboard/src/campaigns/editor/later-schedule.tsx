import { lazyPart } from "@findersfee/ui/requests/lazy-part";
import { Suspense } from "react";
import type { CampaignDraft } from "./draft.ts";

const Schedule = lazyPart(() => import("./schedule.tsx"), "Schedule");

/** What the draft pays. Its code is loaded after the form beside it. */
export function LaterSchedule({ draft }: { draft: CampaignDraft }) {
  return (
    <Suspense fallback={<div className="min-h-100" />}>
      <Schedule draft={draft} />
    </Suspense>
  );
}
