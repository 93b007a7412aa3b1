import { Button } from "@findersfee/ui/components/button";
import { Checkbox, SelectField } from "@findersfee/ui/components/controls";
import { FieldGroup } from "@findersfee/ui/components/field";
import { useMutation, useQuery } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { campaignsQuery } from "../../campaigns/queries.ts";
import { FailureNotice } from "../../requests/failure-notice.tsx";
import { useSession } from "../../session/session.tsx";
import { FIELDS, guessFields, labelOf } from "./columns.ts";
import { checkLines, type Line, type Target, valuesOf } from "./lines.ts";
import { texts } from "./texts.ts";

export interface ColumnsStepProps {
  file: readonly string[][];
  onJudged: (lines: Line[], target: Target) => void;
  onRestart: () => void;
}

/** The meaning of each column, and the target of the lines. Then the service checks each line. */
export function ColumnsStep({ file, onJudged, onRestart }: ColumnsStepProps) {
  const session = useSession();
  const [names = [], ...lines] = file;
  const { data: campaigns } = useQuery(campaignsQuery(session));
  const [fields, setFields] = useState(() => guessFields(names));
  const [done, setDone] = useState(0);
  const chosen = fields.filter((field) => field !== null);
  const problem = !chosen.includes("email")
    ? texts.no_email
    : new Set(chosen).size < chosen.length
      ? texts.twice
      : null;
  const { mutate, isPending, error } = useMutation({
    mutationFn: ({ campaign_id }: Target) =>
      checkLines(session, campaign_id, { all: valuesOf(lines, fields), onProgress: setDone }),
    onSuccess: (judged, target) => onJudged(judged, target),
  });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    if (problem !== null || isPending) return;
    setDone(0);
    mutate({
      campaign_id: String(form.get("campaign_id")),
      approved: form.has("approved"),
      send_invitation: form.has("send_invitation"),
    });
  };
  return (
    <form onSubmit={submit} className="grid max-w-140 gap-6" noValidate>
      <FieldGroup title={texts.columns} hint={texts.columns_hint}>
        {names.map((name, index) => (
          <Column
            key={index}
            name={name}
            example={lines.find((line) => (line[index] ?? "").trim() !== "")?.[index] ?? ""}
            field={fields[index] ?? null}
            onField={(field) => setFields(fields.map((old, place) => (place === index ? field : old)))}
          />
        ))}
        {problem !== null && (
          <p role="alert" className="text-table text-bad">
            {problem}
          </p>
        )}
      </FieldGroup>
      <SelectField label={texts.campaign} name="campaign_id">
        {campaigns?.data
          .toSorted((a, b) => Number(b.is_default) - Number(a.is_default))
          .map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
      </SelectField>
      <Checkbox label={texts.approved} name="approved" defaultChecked />
      <Checkbox label={texts.send_invitation} name="send_invitation" hint={texts.send_invitation_hint} />
      {error !== null && <FailureNotice error={error} onRetry={() => {}} />}
      <div className="flex flex-wrap items-center gap-3">
        <Button look="solid" type="submit" busy={isPending}>
          {texts.check}
        </Button>
        <Button onClick={onRestart}>{texts.again}</Button>
        <p role="status" className="text-table text-muted">
          {isPending && texts.checking(done, lines.length)}
        </p>
      </div>
    </form>
  );
}

interface ColumnProps {
  name: string;
  example: string;
  field: string | null;
  onField: (field: string | null) => void;
}

function Column({ name, example, field, onField }: ColumnProps) {
  return (
    <SelectField
      label={name.trim().slice(0, 100) || "—"}
      value={field ?? ""}
      onChange={(event) => onField(event.target.value || null)}
      hint={
        <span dir="auto" className="line-clamp-1">
          {texts.for_example(example.slice(0, 100))}
        </span>
      }
    >
      <option value="">{texts.skip}</option>
      {FIELDS.map((one) => (
        <option key={one} value={one}>
          {labelOf(one)}
        </option>
      ))}
    </SelectField>
  );
}
