import { BULK_PART } from "../session/bulk-change.ts";
import { useSession } from "../session/session.tsx";
import { useChange } from "../session/use-change.ts";
import { texts } from "./texts.ts";
import { useBulkOfAffiliates } from "./use-bulk-of-affiliates.ts";

/** Mails an invitation to affiliates who have not agreed, and says how many were sent. */
export function useInvite(): { invite: (ids: string[]) => void; busy: boolean } {
  const { api } = useSession();
  const { change, busy } = useChange("affiliates");
  const inBulk = useBulkOfAffiliates();
  const send = (part: string[]) => api.dashboard.affiliates.invite.mutate({ ids: part });
  const invite = (ids: string[]) => {
    if (ids.length > BULK_PART) {
      inBulk(ids, { title: texts.invite_many(ids.length), confirm: texts.invite, send });
      return;
    }
    change({
      run: () => send(ids),
      toast: ({ changed }) => ({ text: changed === 0 ? texts.nobody_invited : texts.invited(changed) }),
    });
  };
  return { invite, busy };
}
