import { Button } from "@findersfee/ui/components/button";
import { useState } from "react";
import { useTexts } from "../../language/language.tsx";
import { useEndedProgram, useSession } from "../../session/session.tsx";
import { ConfirmDialog } from "./confirm-dialog.tsx";
import { LayeredDialog } from "./layered-dialog.tsx";
import { OwedAmounts } from "./owed-amounts.tsx";

/** Lists the data that erasing deletes and keeps, or says why nothing can be erased yet. */
export function EraseDialog({ onClose }: { onClose: () => void }) {
  const { settings, components } = useTexts();
  const { program, api } = useSession();
  const endProgram = useEndedProgram();
  const [is_erased, setErased] = useState(false);
  if (is_erased) {
    const end = () => endProgram(null);
    return (
      <LayeredDialog
        open
        onClose={end}
        title={settings.erased}
        locked
        actions={<Button onClick={end}>{components.close}</Button>}
      >
        <p>{settings.erased_hint(program.organization_name)}</p>
      </LayeredDialog>
    );
  }
  return (
    <ConfirmDialog
      title={settings.erase_title}
      confirm={settings.erase}
      onClose={onClose}
      refuses={(owed) => owed.length > 0}
      run={async (email) => {
        await api.leaving.erase.mutate({ email });
        setErased(true);
      }}
    >
      {(owed) =>
        owed.length > 0 ? (
          <>
            <p>{settings.erase_refused}</p>
            <OwedAmounts owed={owed} />
            <p>{program.state === "active" ? settings.erase_instead : settings.erase_later}</p>
          </>
        ) : (
          <ul className="grid list-disc gap-1.5 pl-5">
            <li>{settings.erase_what}</li>
            <li>{settings.erase_kept}</li>
            <li>{settings.erase_ends}</li>
          </ul>
        )
      }
    </ConfirmDialog>
  );
}
