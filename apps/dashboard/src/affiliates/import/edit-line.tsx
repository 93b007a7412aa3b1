import { TextField } from "@findersfee/ui/components/controls";
import { OrganizationDialog } from "../../dialogs/organization-dialog.tsx";
import { useSession } from "../../session/session.tsx";
import { FIELDS, labelOf } from "./columns.ts";
import { checkLines, type Line } from "./lines.ts";
import { texts } from "./texts.ts";

export interface EditLineProps {
  line: Line;
  campaign_id: string;
  onClose: () => void;
  onJudged: (line: Line) => void;
}

/** Mends a line of the file, and has it judged again. */
export function EditLine({ line, campaign_id, onClose, onJudged }: EditLineProps) {
  const session = useSession();
  const run = async (form: FormData) => {
    const values = Object.fromEntries(
      FIELDS.map((field) => [field, String(form.get(field) ?? "").trim()]).filter(
        ([, value]) => value !== "",
      ),
    );
    const [judged] = await checkLines(session, campaign_id, { all: [values], onProgress: () => {} });
    return { ...line, ...judged, number: line.number };
  };
  return (
    <OrganizationDialog
      open
      onClose={onClose}
      title={texts.edit(line.number)}
      confirm={texts.check}
      changes="import"
      run={run}
      onDone={onJudged}
    >
      {line.outcome === "wrong" && (
        <p role="status" className="text-table text-bad">
          {line.reason}
        </p>
      )}
      {FIELDS.map((field) => (
        <TextField
          key={field}
          label={labelOf(field)}
          name={field}
          autoComplete="off"
          defaultValue={line.values[field] ?? ""}
        />
      ))}
    </OrganizationDialog>
  );
}
