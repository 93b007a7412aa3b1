import { Button } from "@findersfee/ui/components/button";
import { lazyPart } from "@findersfee/ui/requests/lazy-part";
import { useShortcuts } from "@findersfee/ui/shell/shortcuts";
import { Suspense, useState } from "react";
import { useMay } from "../session/session.tsx";
import type { Rejected } from "./reject-dialog.tsx";
import { review_texts } from "./review-texts.ts";
import { useReview } from "./use-review.ts";

/** Loaded when it is opened. */
const RejectDialog = lazyPart(() => import("./reject-dialog.tsx"), "RejectDialog");

export interface ReviewDecisionsProps {
  /** The commissions that are decided on. */
  ids: readonly string[];
  /** What their affiliates lose by a rejection; null: not all of it is known. */
  losses: readonly Rejected[] | null;
}

/** Approves or rejects the selected commissions, by buttons or by keys. */
export function ReviewDecisions({ ids, losses }: ReviewDecisionsProps) {
  const may_change = useMay("admin");
  const { run, busy } = useReview();
  const [rejecting, setRejecting] = useState(false);
  const approve = () => {
    if (ids.length > 0 && !busy) run({ action: "approve", ids });
  };
  useShortcuts(
    may_change
      ? [
          { keys: "a", label: review_texts.approve, run: approve },
          { keys: "r", label: review_texts.reject, run: () => setRejecting(ids.length > 0) },
        ]
      : [],
  );
  return (
    <>
      <Button busy={busy} onClick={approve}>
        {review_texts.approve}
      </Button>
      <Button look="danger" busy={busy} onClick={() => setRejecting(true)}>
        {review_texts.reject}
      </Button>
      {rejecting && (
        <Suspense>
          <RejectDialog
            ids={ids}
            losses={losses}
            open
            onClose={() => setRejecting(false)}
            onReject={(reason) => run({ action: "reject", ids, reason })}
          />
        </Suspense>
      )}
    </>
  );
}
