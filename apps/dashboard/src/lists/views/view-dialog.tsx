import { MAX_VIEW_NAME } from "@findersfee/contract/identity/viewed-lists";
import { TextField } from "@findersfee/ui/components/controls";
import { FormDialog } from "../../dialogs/form-dialog.tsx";
import { useSession } from "../../session/session.tsx";
import { viewsKey } from "./queries.ts";
import { views_texts as texts } from "./texts.ts";

export interface ViewDialogProps {
  /** The present name of a view; undefined: it is saved now. */
  name?: string | undefined;
  onClose: () => void;
  run: (name: string) => Promise<unknown>;
}

/** Takes the name of a view. */
export function ViewDialog({ name, onClose, run }: ViewDialogProps) {
  const session = useSession();
  const is_new = name === undefined;
  return (
    <FormDialog
      open
      onClose={onClose}
      title={is_new ? texts.save_title : texts.rename_title}
      confirm={is_new ? texts.save_button : texts.rename_button}
      changes={viewsKey(session)}
      run={(form) => run(String(form.get("name")))}
      fields={["name"]}
    >
      {(errorOf) => (
        <>
          {is_new && <p className="text-muted">{texts.hint}</p>}
          <TextField
            label={texts.name}
            name="name"
            required
            maxLength={MAX_VIEW_NAME}
            defaultValue={name}
            error={errorOf("name")}
          />
        </>
      )}
    </FormDialog>
  );
}
