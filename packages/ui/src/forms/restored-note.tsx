import { History } from "lucide-react";
import { Button } from "../components/button.tsx";
import { useTexts } from "../texts.tsx";

/** Says that the form shows a draft from before the page was loaded again. */
export function RestoredNote({
  draft: { is_restored, discard },
}: {
  draft: { is_restored: boolean; discard: () => void };
}) {
  const texts = useTexts();
  return (
    <div role="status" className="empty:absolute">
      {is_restored && (
        <p className="flex items-center gap-2 text-table text-muted">
          <History aria-hidden size={14} className="shrink-0" />
          {texts.restored}
          <span aria-hidden>·</span>
          <Button look="quiet" className="-mx-2 px-2 underline underline-offset-2" onClick={discard}>
            {texts.discard}
          </Button>
        </p>
      )}
    </div>
  );
}
