import { Button } from "@findersfee/ui/components/button";
import { Code } from "@findersfee/ui/components/code";
import { SelectField, TextAreaField, TextField } from "@findersfee/ui/components/controls";
import { State } from "@findersfee/ui/components/state";
import { type FormEvent, useState } from "react";
import type { DeliveryDetail } from "./queries.ts";
import { examine, type ReceivedContent, type Step, signedText } from "./signature.ts";
import { texts } from "./verify-texts.ts";

type Examined = Awaited<ReturnType<typeof examine>>;

/** Shows which step of checking a signature fails. The secret stays in this browser. */
export function Verify({ delivery: { event_id, body, attempt_log } }: { delivery: DeliveryDetail }) {
  const last = attempt_log.at(-1);
  const [timestamp, setTimestamp] = useState(String(last?.webhook_timestamp ?? ""));
  const [examined, setExamined] = useState<Examined | null>(null);
  const sent = { id: event_id, timestamp, body };
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const secret = String(form.get("secret") ?? "");
    setExamined(await examine(sent, { secret, received: receivedOf(form) }));
  };
  if (globalThis.crypto.subtle === undefined) return <p className="text-table">{texts.insecure}</p>;
  return (
    <div className="grid gap-4">
      <p className="text-table text-muted">{texts.hint}</p>
      {attempt_log.length > 1 && (
        <SelectField
          label={texts.attempt}
          value={timestamp}
          onChange={(event) => {
            setTimestamp(event.target.value);
            setExamined(null);
          }}
        >
          {attempt_log.map(({ number, webhook_timestamp }) => (
            <option key={number} value={webhook_timestamp}>
              {number}: {webhook_timestamp}
            </option>
          ))}
        </SelectField>
      )}
      <div className="grid gap-1.5">
        <h3 className="text-table font-medium">{texts.signed_text}</h3>
        <Code label={texts.signed_text} low copy={signedText(sent)}>
          {signedText(sent)}
        </Code>
      </div>
      <form onSubmit={submit} className="grid gap-4">
        <ReceivedFields />
        <div>
          <Button type="submit" look="solid">
            {texts.check}
          </Button>
        </div>
      </form>
      <div role="status">{examined !== null && <Result examined={examined} />}</div>
    </div>
  );
}

/** The secret, and the content as the receiver got it. */
function ReceivedFields() {
  return (
    <>
      <TextField
        label={texts.secret}
        name="secret"
        dir="ltr"
        autoComplete="off"
        spellCheck={false}
        placeholder="whsec_…"
      />
      <TextField
        label={texts.signature}
        name="signature"
        optional
        dir="ltr"
        autoComplete="off"
        spellCheck={false}
        placeholder="v1,…"
      />
      <TextAreaField label={texts.body} name="body" optional dir="ltr" spellCheck={false} />
      <details>
        <summary className="mb-2 text-table text-muted hover:text-ink">{texts.more}</summary>
        <div className="grid gap-4">
          <TextField label={texts.id} name="id" optional dir="ltr" autoComplete="off" />
          <TextField label={texts.timestamp} name="timestamp" optional dir="ltr" autoComplete="off" />
        </div>
      </details>
    </>
  );
}

/** The fields that were filled in. */
function receivedOf(form: FormData): ReceivedContent {
  const names = ["id", "timestamp", "signature", "body"] as const;
  const filled = names.flatMap((name) => {
    // Browsers send the lines of a text field with carriage returns.
    const value = String(form.get(name) ?? "").replaceAll("\r\n", "\n");
    return value === "" ? [] : [[name, value] as const];
  });
  return Object.fromEntries(filled);
}

function Result({ examined: { expected, steps } }: { examined: Examined }) {
  return (
    <div className="grid gap-3 text-table">
      <ol className="grid gap-2">
        {steps.map((step) => (
          <li key={step.name}>
            <StepResult step={step} />
          </li>
        ))}
      </ol>
      {expected !== null && (
        <div className="grid gap-1.5">
          <h3 className="font-medium">{texts.expected}</h3>
          <Code label={texts.expected} copy={expected}>
            {expected}
          </Code>
        </div>
      )}
    </div>
  );
}

function StepResult({ step: { name, result } }: { step: Step }) {
  if (result === "right") return <State tone="done">{texts.steps[name]}</State>;
  if (result === "unknown") {
    return (
      <State tone="none">
        <span className="text-muted">
          {texts.steps[name]}: {texts.unknown}
        </span>
      </State>
    );
  }
  return (
    <>
      <State tone="failed">
        <span className="font-medium">{texts.steps[name]}</span>
      </State>
      <span className="block pl-5">{texts.problems[result]}</span>
    </>
  );
}
