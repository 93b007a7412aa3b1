import { Button } from "@findersfee/ui/components/button";
import { useQuery } from "@tanstack/react-query";
import { Eye } from "lucide-react";
import { useState } from "react";
import { useTexts } from "../../language/language.tsx";
import { meQuery } from "../../session/session.tsx";
import { closeView, type View } from "./opened-view.ts";

/** Above every page of a view: the affiliate, and the organization of the staff who view it. */
export function Banner({ view }: { view: View }) {
  const { view: texts } = useTexts().embed;
  const { data: me } = useQuery(meQuery);
  const [closing, setClosing] = useState(false);
  const [program] = me?.programs ?? [];
  if (me === undefined || program === undefined) return null;
  return (
    <section
      aria-label={texts.banner}
      className="sticky top-0 z-40 border-b border-line bg-info-tint text-ink print:hidden"
    >
      <div className="mx-auto flex min-h-12 w-full max-w-240 items-center gap-3 px-4 py-1.5 text-table tablet:h-12 tablet:px-6 tablet:py-0">
        <Eye aria-hidden size={18} className="shrink-0 text-info max-tablet:hidden" />
        <p className="min-w-0 flex-1 tablet:truncate">
          <strong className="font-semibold max-tablet:line-clamp-2 max-tablet:wrap-anywhere">
            {texts.viewed(me.email)}
          </strong>
          <span
            dir="auto"
            className="max-tablet:text-meta tablet:ml-3 max-tablet:line-clamp-2 max-tablet:wrap-anywhere"
          >
            {view.agreed ? texts.by_staff(program.organization_name) : texts.not_agreed}
          </span>
        </p>
        <Button
          className="tablet:h-9"
          busy={closing}
          onClick={() => {
            setClosing(true);
            void closeView(view);
          }}
        >
          {texts.close}
        </Button>
      </div>
    </section>
  );
}
