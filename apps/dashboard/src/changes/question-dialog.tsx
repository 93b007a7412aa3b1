import { useSession } from "../session/session.tsx";
import { Question, type QuestionProps } from "./question.tsx";

export interface QuestionDialogProps<Result> extends Omit<QuestionProps<Result>, "changes"> {
  /** The queries that the change concerns, by the second part of their keys. */
  changes: string;
}

/** A dialog with a change of the organization, and the reason why it was refused. */
export function QuestionDialog<Result>({ changes, ...rest }: QuestionDialogProps<Result>) {
  const { organization } = useSession();
  return <Question {...rest} changes={[organization.id, changes]} />;
}
