import { nameOfRight, restrictedKeyPage, stripe_rights } from "@findersfee/contract/processors/stripe-rights";
import { Button } from "@findersfee/ui/components/button";
import { Code } from "@findersfee/ui/components/code";
import { TextField } from "@findersfee/ui/components/controls";
import { Failure, Notice } from "@findersfee/ui/components/notice";
import { failureOf } from "@findersfee/ui/requests/failure";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { useSession } from "../../session/session.tsx";
import { intakeAddress } from "./address.ts";
import { texts } from "./texts.ts";

/** Connects Stripe by a restricted key alone, or says why Stripe cannot reach the service. */
export function KeyForm({ problem }: { problem: string | null }) {
  const { api, organization } = useSession();
  const client = useQueryClient();
  const [key, setKey] = useState("");
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => api.dashboard.processors.connectStripe.mutate({ api_key: key.trim() }),
    onSuccess: () => client.invalidateQueries({ queryKey: [organization.id] }),
  });
  if (problem !== null) return <Unreachable problem={problem} />;
  const failure = error === null ? null : failureOf(error);
  const issue = failure?.issues.find(({ path }) => path === "api_key")?.message;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    mutate();
  };
  return (
    <form onSubmit={submit} noValidate className="grid max-w-140 gap-4">
      <p className="text-table text-muted">{texts.key_connects}</p>
      <p className="flex flex-wrap gap-x-4 gap-y-1 text-table">
        {texts.create_key}
        <StripePage livemode={false} />
        <StripePage livemode />
      </p>
      <TextField
        label={texts.restricted_key}
        // Not named: drafts keep no keys.
        data-secret
        dir="ltr"
        autoComplete="off"
        spellCheck={false}
        placeholder="rk_live_…"
        value={key}
        onChange={(event) => setKey(event.target.value)}
        hint={hintOf(key)}
        error={issue}
      />
      {failure !== null && issue === undefined && (
        <Failure message={failure.message} request_id={failure.request_id} />
      )}
      <div>
        <Button look="solid" type="submit" busy={isPending}>
          {texts.connect_key}
        </Button>
      </div>
      <Rights />
    </form>
  );
}

function StripePage({ livemode }: { livemode: boolean }) {
  return (
    <a
      href={restrictedKeyPage({ livemode })}
      target="_blank"
      rel="noopener noreferrer"
      className="text-accent underline underline-offset-2"
    >
      {livemode ? texts.create_live : texts.create_test}
    </a>
  );
}

/** The hint for the beginning of a key. */
function hintOf(key: string): string {
  const [kind, mode] = key.trim().split("_", 2);
  if (mode !== "live" && mode !== "test") return texts.key_prefix;
  const in_mode = mode === "live" ? texts.key_live : texts.key_test;
  return kind === "sk" ? `${in_mode} ${texts.key_secret}` : in_mode;
}

/** The permissions that the key needs, in the words of Stripe's page, each with its reason. */
function Rights() {
  return (
    <details className="text-table">
      <summary className="w-fit cursor-default text-muted hover:text-ink">{texts.rights}</summary>
      <p className="pt-2 text-muted">{texts.rights_hint}</p>
      <dl className="grid gap-x-4 gap-y-2 pt-2 wide:grid-cols-[minmax(0,2fr)_minmax(0,3fr)]">
        {stripe_rights.map(({ id, reason }) => (
          <div key={id} className="contents">
            <dt>{nameOfRight(id)}</dt>
            <dd className="text-muted max-wide:-mt-2">{reason}</dd>
          </div>
        ))}
      </dl>
    </details>
  );
}

/** Why the service cannot create an endpoint, and the parts that work without it. */
function Unreachable({ problem }: { problem: string }) {
  const { organization } = useSession();
  const command = `stripe listen --forward-to ${intakeAddress("stripe", organization.id)}`;
  return (
    <Notice tone="warn" title={texts.unreachable}>
      <p>{problem}</p>
      <p className="pt-2 pb-2">{texts.listen}</p>
      <Code label={texts.listen_command} copy={command}>
        {command}
      </Code>
    </Notice>
  );
}
