import { Notice } from "@findersfee/ui/components/notice";
import { useSession } from "../../session/session.tsx";
import { OverrideDialog } from "./override-dialog.tsx";
import { OverrideSentence, type ShownOverride } from "./override-sentence.tsx";
import { sentence_texts } from "./sentence-texts.ts";
import { texts } from "./texts.ts";
import type { OverridePreview } from "./use-override.ts";

/** Undoes an override. The dialog warns if this reverses commissions in payouts. */
export function UndoDialog({ override, onClose }: { override: ShownOverride; onClose: () => void }) {
  const { api } = useSession();
  const { id, type } = override;
  return (
    <OverrideDialog
      onClose={onClose}
      title={sentence_texts.undo_this[type]}
      confirm={sentence_texts.undo_this[type]}
      look="danger"
      done={texts.undone}
      choice={id}
      send={(request) => api.overrides.undo.mutate({ ...request, id })}
      nothing={texts.undo_nothing}
      warn={(preview) => <PaidWarning preview={preview} type={type} />}
    >
      {() => (
        <div className="grid gap-1">
          <OverrideSentence override={override} />
          <p className="pt-2 text-muted">{texts.undo_hint}</p>
        </div>
      )}
    </OverrideDialog>
  );
}

function PaidWarning({
  preview: { balances, reversal_count, names },
  type,
}: {
  preview: OverridePreview;
  type: ShownOverride["type"];
}) {
  const losers = [
    ...new Set(
      balances.flatMap(({ affiliate_id, difference }) =>
        difference < 0 ? (names.get(affiliate_id) ?? []) : [],
      ),
    ),
  ];
  if (reversal_count === 0) return null;
  return (
    <Notice tone="warn" title={texts.paid_title(losers.join(", "))}>
      <p>
        {texts.paid_hint} {type === "move" && texts.keep_paid}
      </p>
    </Notice>
  );
}
