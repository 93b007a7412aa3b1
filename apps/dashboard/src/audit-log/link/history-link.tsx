import { ButtonLink } from "@findersfee/ui/components/button";
import { History } from "lucide-react";
import { useSession } from "../../session/session.tsx";
import { historyOf } from "./address.ts";
import { texts } from "./texts.ts";

/** After the title of a thing's page: who changed it, and when. */
export function HistoryLink({ of }: { of: string }) {
  const { home } = useSession();
  return (
    <ButtonLink
      look="quiet"
      shape="tiny"
      to={historyOf(home, of)}
      aria-label={texts.history}
      title={texts.history}
    >
      <History aria-hidden size={14} />
    </ButtonLink>
  );
}
