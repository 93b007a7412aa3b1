import type { PublicProgram } from "@findersfee/contract/portal/join";
import { Button } from "@findersfee/ui/components/button";
import { TextField } from "@findersfee/ui/components/controls";
import { Notice } from "@findersfee/ui/components/notice";
import { RestoredNote } from "@findersfee/ui/forms/restored-note";
import type { DraftState } from "@findersfee/ui/forms/use-draft-value";
import { useRef } from "react";
import { FormFailure } from "../../identity/sign-in/form-failure.tsx";
import { useLanguage } from "../../language/language.tsx";
import { errorsOf } from "../application-form/errors.ts";
import { ApplicationFields } from "../application-form/fields.tsx";
import { useFirstProblem } from "../application-form/use-first-problem.ts";
import type { JoinDraft } from "./draft.ts";
import { TermsField } from "./terms-field.tsx";
import { useJoining } from "./use-joining.ts";

interface JoinFormProps {
  program: PublicProgram;
  draft: DraftState<JoinDraft>;
  /** The form has changed since it was filled in. */
  is_outdated: boolean;
  /** Called when the service holds the form to other questions. */
  onOutdated: () => void;
}

/** The form for joining a campaign. */
export function JoinForm({ program, draft, is_outdated, onOutdated }: JoinFormProps) {
  const spoken = useLanguage();
  const { join } = spoken.texts;
  const { organization, campaign } = program;
  const { value, set } = draft;
  const { busy, problems, failure, refused, submit } = useJoining({ program, draft, onOutdated });
  const errorOf = errorsOf(problems, failure, spoken);
  const form = useFirstProblem(refused);
  const website = useRef<HTMLInputElement>(null);
  const is_marked = Object.keys(problems).length > 0 || (failure !== null && failure.issues.length > 0);
  return (
    <form
      ref={form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (!busy) void submit(website.current?.value ?? "");
      }}
      className="relative grid grid-cols-[minmax(0,1fr)] gap-5"
    >
      <h2 className="text-lead font-semibold">{join.form}</h2>
      {is_outdated && <Notice tone="warn" title={join.form_changed} alert />}
      <RestoredNote draft={draft} />
      <ApplicationFields form={campaign} draft={value} set={set} errorOf={errorOf}>
        <TextField
          label={join.email}
          name="email"
          inputMode="email"
          autoComplete="email"
          required
          value={value.email}
          onChange={({ target }) => set({ email: target.value })}
          error={errorOf("email")}
        />
      </ApplicationFields>
      {organization.terms_url !== null && (
        <TermsField
          url={organization.terms_url}
          accepted={value.accepted_terms}
          onChange={(accepted_terms) => set({ accepted_terms })}
          error={errorOf("accepted_terms")}
        />
      )}
      <div aria-hidden className="absolute size-px overflow-hidden opacity-0">
        <label>
          {join.website_field}
          <input ref={website} name="website" type="text" tabIndex={-1} autoComplete="off" />
        </label>
      </div>
      {is_marked ? (
        <p role="alert" className="text-table text-bad">
          {join.check_fields}
        </p>
      ) : (
        <FormFailure failure={failure} />
      )}
      <div className="grid gap-2">
        <Button look="solid" type="submit" busy={busy} className="w-full">
          {campaign.approval_needed ? join.send : join.join}
        </Button>
        <p className="text-center text-table text-muted wrap-anywhere">{join.send_hint}</p>
      </div>
    </form>
  );
}
