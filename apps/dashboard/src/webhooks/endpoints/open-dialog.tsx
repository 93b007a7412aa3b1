import { DeleteDialog, EnableDialog, RotateDialog } from "./dialogs.tsx";
import { EndpointDialog } from "./endpoint-dialog.tsx";
import type { EndpointRow } from "./queries.ts";

export type DialogName = "enable" | "edit" | "rotate" | "delete";

export interface OpenDialogProps {
  name: DialogName;
  endpoint: EndpointRow;
  onClose: () => void;
}

/** The dialog that somebody opened. */
export function OpenDialog({ name, ...rest }: OpenDialogProps) {
  const dialog = { ...rest, open: true };
  switch (name) {
    case "enable":
      return <EnableDialog {...dialog} />;
    case "edit":
      return <EndpointDialog {...dialog} />;
    case "rotate":
      return <RotateDialog {...dialog} />;
    case "delete":
      return <DeleteDialog {...dialog} />;
  }
}
