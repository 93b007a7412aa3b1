import { required_event_types } from "@findersfee/contract/processors/stripe-events";
import { Button } from "@findersfee/ui/components/button";
import { Code } from "@findersfee/ui/components/code";
import { Checkbox, TextField } from "@findersfee/ui/components/controls";
import { Failure } from "@findersfee/ui/components/notice";
import { SkeletonRows } from "@findersfee/ui/components/skeleton";
import { RestoredNote } from "@findersfee/ui/forms/restored-note";
import { APPLICATION_PATH } from "@findersfee/ui/requests/application-path";
import { failureOf } from "@findersfee/ui/requests/failure";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { FormEvent, ReactNode } from "react";
import { useDraft } from "../../forms/use-draft.ts";
import { FailureNotice } from "../../requests/failure-notice.tsx";
import { useSession } from "../../session/session.tsx";
import { texts as shell_texts } from "../../shell/texts.ts";
import { intakeAddress } from "./address.ts";
import { KeyForm } from "./key-form.tsx";
import { CONNECTIONS, type ProcessorName, stripeSetupQuery } from "./queries.ts";
import { texts } from "./texts.ts";

interface ConnectFormProps {
  name: ProcessorName;
  /** Gets a secret that the service has made. */
  onSecret: (secret: string) => void;
}

/** Connects Stripe by a key, or by an endpoint that a person sets up. */
export function ConnectStripe({ onSecret }: Pick<ConnectFormProps, "onSecret">) {
  const { data: setup, error, refetch } = useQuery(stripeSetupQuery(useSession()));
  if (error !== null) return <FailureNotice error={error} onRetry={() => void refetch()} />;
  if (setup === undefined) return <SkeletonRows label={shell_texts.loading} />;
  return (
    <div className="grid max-w-180 grid-cols-[minmax(0,1fr)] gap-6 pt-4 pb-12">
      <section className="grid grid-cols-[minmax(0,1fr)] gap-2">
        <h2 className="font-medium">{texts.by_key}</h2>
        <KeyForm problem={setup.problem} />
      </section>
      <details open={setup.problem !== null} className="border-t border-line pt-4">
        <summary className="w-fit cursor-default font-medium">{texts.by_hand}</summary>
        <ConnectForm name="stripe" onSecret={onSecret} />
      </details>
    </div>
  );
}

/** The steps that connect a processor. */
export function ConnectForm({ name, onSecret }: ConnectFormProps) {
  const { api, organization } = useSession();
  const client = useQueryClient();
  const draft = useDraft(name);
  const address = intakeAddress(name, organization.id);
  const { mutate, isPending, error } = useMutation({
    mutationFn: (form: FormData) => api.dashboard.processors.connect.mutate(inputOf(name, form)),
    onSuccess: async ({ signing_secret }) => {
      draft.clear();
      if (name === "generic") onSecret(signing_secret);
      await client.invalidateQueries({ queryKey: [organization.id, CONNECTIONS] });
    },
  });
  const failure = error === null ? null : failureOf(error);
  const issueOf = (field: string) => failure?.issues.find(({ path }) => path === field)?.message;
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    mutate(new FormData(event.currentTarget));
  };
  return (
    <form
      key={draft.key}
      ref={draft.form}
      onSubmit={submit}
      noValidate
      className="grid max-w-180 gap-6 pt-4 pb-12"
    >
      <RestoredNote draft={draft} />
      <ol className="grid gap-6">
        <Step number={1} title={name === "stripe" ? texts.step_endpoint : texts.step_address}>
          <Code label={texts.address} copy={address}>
            {address}
          </Code>
        </Step>
        {name === "stripe" ? <StripeSteps issueOf={issueOf} /> : <FormatStep />}
      </ol>
      {failure !== null && failure.issues.length === 0 && (
        <Failure message={failure.message} request_id={failure.request_id} />
      )}
      <div>
        <Button look="solid" type="submit" busy={isPending}>
          {texts.connect[name]}
        </Button>
      </div>
    </form>
  );
}

function StripeSteps({ issueOf }: { issueOf: (field: string) => string | undefined }) {
  const types = required_event_types.join("\n");
  return (
    <>
      <Step number={2} title={texts.step_types(required_event_types.length)}>
        <Code label={texts.types} low copy={types}>
          {types}
        </Code>
      </Step>
      <Step number={3} title={texts.step_secret}>
        <div className="grid gap-5">
          <Secret error={issueOf("signing_secret")} />
          <ApiKey error={issueOf("api_key")} />
          <Checkbox name="test_mode" label={texts.test_mode} hint={texts.test_mode_hint} />
        </div>
      </Step>
    </>
  );
}

/** The format of the messages that another processor sends. */
function FormatStep() {
  return (
    <Step number={2} title={texts.step_format}>
      <a href={`${APPLICATION_PATH}/docs/processors#generic-messages`} className="text-accent underline">
        {texts.format_docs}
      </a>
    </Step>
  );
}

function Step({ number, title, children }: { number: number; title: string; children: ReactNode }) {
  return (
    <li className="grid grid-cols-[24px_minmax(0,1fr)] gap-x-3 gap-y-2">
      <span
        aria-hidden
        className="grid size-6 place-items-center rounded-full border border-line bg-sunk text-meta font-medium tabular-nums"
      >
        {number}
      </span>
      <h2 className="font-medium">{title}</h2>
      <div className="col-start-2 min-w-0">{children}</div>
    </li>
  );
}

/** Not a password field: browsers would offer to store it. */
export function Secret({ error }: { error: string | undefined }) {
  return (
    <TextField
      label={texts.secret}
      name="signing_secret"
      data-secret
      dir="ltr"
      autoComplete="off"
      spellCheck={false}
      placeholder="whsec_…"
      hint={texts.secret_hint}
      error={error}
    />
  );
}

export function ApiKey({ error }: { error: string | undefined }) {
  return (
    <TextField
      label={texts.key}
      name="api_key"
      data-secret
      optional
      dir="ltr"
      autoComplete="off"
      spellCheck={false}
      placeholder="rk_live_…"
      hint={
        <>
          {texts.api_key_hint}{" "}
          <a
            href={`${APPLICATION_PATH}/docs/processors#permissions-of-the-key`}
            className="text-accent underline"
          >
            {texts.key_rights}
          </a>
        </>
      }
      error={error}
    />
  );
}

function inputOf(name: ProcessorName, form: FormData) {
  if (name === "generic") return { name };
  const textOf = (field: string) => String(form.get(field) ?? "").trim();
  const api_key = textOf("api_key");
  return {
    name,
    signing_secret: textOf("signing_secret"),
    api_key: api_key === "" ? null : api_key,
    livemode: !form.has("test_mode"),
  };
}
