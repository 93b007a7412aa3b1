import { buttonClass } from "@findersfee/ui/components/button";
import { Link } from "@findersfee/ui/navigation";
import { useTexts } from "@findersfee/ui/texts";
import { ChevronLeft, ChevronRight } from "lucide-react";

/** Links to the neighboring pages of a list: `newer` and `older` are their addresses, null at the ends. Nothing if there are none. */
export function Pager({ newer, older }: { newer: string | null; older: string | null }) {
  const texts = useTexts();
  if (newer === null && older === null) return null;
  return (
    <div className="flex justify-between gap-2 py-4 print:hidden">
      {newer === null ? (
        <span />
      ) : (
        <Link to={newer} rel="prev" className={buttonClass("plain")}>
          <ChevronLeft aria-hidden size={16} />
          {texts.newer}
        </Link>
      )}
      {older !== null && (
        <Link to={older} rel="next" className={buttonClass("plain")}>
          {texts.older}
          <ChevronRight aria-hidden size={16} />
        </Link>
      )}
    </div>
  );
}
