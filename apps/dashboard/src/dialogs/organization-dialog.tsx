import { useSession } from "../session/session.tsx";
import { FormDialog, type FormDialogProps } from "./form-dialog.tsx";

export interface OrganizationDialogProps<Result> extends Omit<FormDialogProps<Result>, "changes"> {
  /** The queries that the change concerns, by the second part of their keys. */
  changes: string;
}

/** A dialog with a change of the organization, and the reason why it was refused. */
export function OrganizationDialog<Result>({ changes, ...rest }: OrganizationDialogProps<Result>) {
  const { organization } = useSession();
  return <FormDialog {...rest} changes={[organization.id, changes]} />;
}
