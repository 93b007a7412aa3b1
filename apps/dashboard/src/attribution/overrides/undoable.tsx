import { Button } from "@findersfee/ui/components/button";
import { lazyPart } from "@findersfee/ui/requests/lazy-part";
import { type ReactNode, Suspense, useState } from "react";
import { useMay } from "../../session/session.tsx";
import type { ShownOverride } from "./override-sentence.tsx";
import { sentence_texts as texts } from "./sentence-texts.ts";

const UndoDialog = lazyPart(() => import("./undo-dialog.tsx"), "UndoDialog");

/** An override with the button that undoes it, until somebody has. */
export function Undoable({ override, children }: { override: ShownOverride; children: ReactNode }) {
  const may_undo = useMay("admin");
  const [undoing, setUndoing] = useState(false);
  return (
    <div className="flex min-w-0 items-start justify-between gap-3">
      <div className="grid min-w-0 gap-0.5">{children}</div>
      {may_undo && override.undone_at === null && (
        <Button aria-label={texts.undo_this[override.type]} onClick={() => setUndoing(true)}>
          {texts.undo}
        </Button>
      )}
      {undoing && (
        <Suspense>
          <UndoDialog override={override} onClose={() => setUndoing(false)} />
        </Suspense>
      )}
    </div>
  );
}
