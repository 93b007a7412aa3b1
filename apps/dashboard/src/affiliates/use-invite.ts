import { useSession } from "../session/session.tsx";
import { useChange } from "../session/use-change.ts";
import { texts } from "./texts.ts";

/** Mails an invitation to affiliates who have not agreed, and says how many were sent. */
export function useInvite(): { invite: (ids: string[]) => void; busy: boolean } {
  const { api } = useSession();
  const { change, busy } = useChange("affiliates");
  const invite = (ids: string[]) =>
    change({
      run: () => api.dashboard.affiliates.invite.mutate({ ids }),
      toast: ({ changed }) => ({ text: changed === 0 ? texts.nobody_invited : texts.invited(changed) }),
    });
  return { invite, busy };
}
