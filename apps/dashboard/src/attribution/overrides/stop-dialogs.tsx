import { useSession } from "../../session/session.tsx";
import { OverrideDialog } from "./override-dialog.tsx";
import { texts } from "./texts.ts";

/** Stops a customer: payments from now on earn nothing. */
export function StopDialog({
  referral: { id, email },
  onClose,
}: {
  referral: { id: string; email: string };
  onClose: () => void;
}) {
  const { api } = useSession();
  return (
    <OverrideDialog
      onClose={onClose}
      title={texts.stop_title(email)}
      hint={texts.stop_hint}
      confirm={texts.stop_confirm}
      look="danger"
      done={texts.stopped}
      choice={id}
      send={(request) => api.referrals.stop.mutate({ ...request, referral_id: id })}
      nothing={texts.stop_nothing}
    />
  );
}

/** Ends a stop of a customer. */
export function ResumeDialog({ id, email, onClose }: { id: string; email: string; onClose: () => void }) {
  const { api } = useSession();
  return (
    <OverrideDialog
      onClose={onClose}
      title={texts.resume_title(email)}
      hint={texts.resume_hint}
      confirm={texts.resume_confirm}
      done={texts.resumed}
      choice={id}
      send={(request) => api.overrides.resume.mutate({ ...request, id })}
      nothing={texts.resume_nothing}
    />
  );
}
