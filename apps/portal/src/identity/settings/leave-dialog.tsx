import { useTexts } from "../../language/language.tsx";
import { useEndedProgram, useSession } from "../../session/session.tsx";
import { ConfirmDialog } from "./confirm-dialog.tsx";
import { OwedAmounts } from "./owed-amounts.tsx";

/** Explains the consequences of leaving, with the amounts that are still paid. */
export function LeaveDialog({ onClose }: { onClose: () => void }) {
  const { settings } = useTexts();
  const { program, api } = useSession();
  const end = useEndedProgram();
  return (
    <ConfirmDialog
      title={settings.leave_title}
      confirm={settings.leave}
      onClose={onClose}
      run={async (email) => {
        await api.leaving.leave.mutate({ email });
        // The frame of the page sees the new state, and leads to the page for it.
        end("left");
      }}
    >
      {(owed) => (
        <>
          <ul className="grid list-disc gap-1.5 pl-5">
            <li>{settings.leave_links}</li>
            <li>{settings.leave_later}</li>
            <li>{owed.length === 0 ? settings.nothing_owed : settings.leave_owed}</li>
          </ul>
          <OwedAmounts owed={owed} />
          <p>{settings.leave_back(program.organization_name)}</p>
        </>
      )}
    </ConfirmDialog>
  );
}
