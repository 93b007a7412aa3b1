import { Button } from "@findersfee/ui/components/button";
import { lazyPart } from "@findersfee/ui/requests/lazy-part";
import { Suspense, useState } from "react";
import { sentence_texts as override_texts } from "../../attribution/overrides/sentence-texts.ts";
import { stopOf } from "./overrides.tsx";
import type { Timeline } from "./queries.ts";
import { texts } from "./texts.ts";

const EditDialog = lazyPart(() => import("./edit-dialog.tsx"), "EditDialog");
const MoveDialog = lazyPart(() => import("../../attribution/overrides/move-dialog.tsx"), "MoveDialog");
const StopDialog = lazyPart(() => import("../../attribution/overrides/stop-dialogs.tsx"), "StopDialog");

/** Changes of a customer: its fields, its affiliate, and whether it earns. */
export function Actions({ timeline: { referral, overrides } }: { timeline: Timeline }) {
  const [doing, setDoing] = useState<"edit" | "move" | "stop" | null>(null);
  const close = () => setDoing(null);
  return (
    <>
      {stopOf(overrides) === null && (
        <Button look="danger" onClick={() => setDoing("stop")}>
          {override_texts.stop}
        </Button>
      )}
      <Button onClick={() => setDoing("move")}>{override_texts.move}</Button>
      <Button onClick={() => setDoing("edit")}>{texts.edit}</Button>
      <Suspense>
        {doing === "edit" && <EditDialog referral={referral} open onClose={close} />}
        {doing === "move" && <MoveDialog referral={referral} onClose={close} />}
        {doing === "stop" && <StopDialog referral={referral} onClose={close} />}
      </Suspense>
    </>
  );
}
