import { required_event_types as STRIPE_EVENTS } from "@findersfee/contract/processors/stripe-events";
import { Button } from "@findersfee/ui/components/button";
import { Code } from "@findersfee/ui/components/code";
import { Checkbox, TextField } from "@findersfee/ui/components/controls";
import { Failure } from "@findersfee/ui/components/notice";
import { Link } from "@findersfee/ui/navigation";
import { failureOf } from "@findersfee/ui/requests/failure";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, type ReactNode, useId } from "react";
import { KeyForm } from "../processors/connections/key-form.tsx";
import { EndpointNotice } from "../processors/connections/managed-endpoint.tsx";
import { connectionsQuery, stripeSetupQuery } from "../processors/connections/queries.ts";
import { useSession } from "../session/session.tsx";
import { messagesAddress, PROCESSORS_GUIDE } from "./addresses.ts";
import { texts } from "./texts.ts";

/** Connects Stripe: by a key, or by an endpoint that a person sets up. */
export function StripeStep() {
  const session = useSession();
  const { data: setup } = useQuery(stripeSetupQuery(session));
  const { data: connections } = useQuery(connectionsQuery(session));
  const connection = connections?.find(({ name }) => name === "stripe");
  if (setup === undefined || connections === undefined) return null;
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-5 text-table">
      {connection !== undefined ? (
        <EndpointNotice connection={connection} />
      ) : (
        <>
          <KeyForm problem={setup.problem} />
          <details open={setup.problem !== null}>
            <summary className="w-fit cursor-default text-muted hover:text-ink">{texts.by_hand}</summary>
            <ManualParts />
          </details>
        </>
      )}
      <p className="flex flex-wrap gap-x-4 gap-y-1 text-muted">
        {connection !== undefined && (
          <Link
            to={`${session.home}/connections/stripe`}
            className="text-accent underline underline-offset-2"
          >
            {texts.show_connection}
          </Link>
        )}
        <span>
          {texts.another}{" "}
          <a href={PROCESSORS_GUIDE} className="text-accent underline underline-offset-2">
            {texts.another_hint}
          </a>
        </span>
      </p>
    </div>
  );
}

/** Its address and events to copy, its secret to paste. */
function ManualParts() {
  const { organization } = useSession();
  const address = messagesAddress("stripe", organization.id);
  return (
    <ol className="grid grid-cols-[minmax(0,1fr)] gap-5 pt-3">
      <Part number={1} title={texts.stripe_1}>
        <Code label={texts.address} copy={address}>
          {address}
        </Code>
      </Part>
      <Part number={2} title={texts.stripe_2(STRIPE_EVENTS.length)}>
        <details>
          <summary className="w-fit cursor-default text-muted hover:text-ink">{texts.show_events}</summary>
          <div className="pt-2">
            <Code label={texts.events}>{STRIPE_EVENTS.join("\n")}</Code>
          </div>
        </details>
      </Part>
      <Part number={3} title={texts.stripe_3}>
        <SecretForm />
      </Part>
    </ol>
  );
}

interface PartProps {
  number: number;
  title: string;
  children: ReactNode;
}

function Part({ number, title, children }: PartProps) {
  return (
    <li className="grid grid-cols-[20px_minmax(0,1fr)] items-baseline gap-y-2">
      <span aria-hidden className="text-muted tabular-nums">
        {number}.
      </span>
      <div>{title}</div>
      <div className="col-start-2 min-w-0">{children}</div>
    </li>
  );
}

function SecretForm() {
  const { api, organization } = useSession();
  const client = useQueryClient();
  const id = useId();
  const { mutate, isPending, error } = useMutation({
    mutationFn: (input: Parameters<typeof api.dashboard.processors.connect.mutate>[0]) =>
      api.dashboard.processors.connect.mutate(input),
    onSuccess: () => client.invalidateQueries({ queryKey: [organization.id] }),
  });
  const failure = error === null ? null : failureOf(error);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    mutate({
      name: "stripe",
      signing_secret: String(form.get("signing_secret") ?? "").trim(),
      livemode: !form.has("test_mode"),
    });
  };
  return (
    <form id={id} onSubmit={submit} className="grid max-w-140 gap-3" noValidate>
      <TextField
        label={texts.secret}
        name="signing_secret"
        dir="ltr"
        autoComplete="off"
        spellCheck={false}
        placeholder="whsec_…"
        error={failure?.issues.find(({ path }) => path === "signing_secret")?.message}
      />
      <Checkbox name="test_mode" label={texts.test_mode} defaultChecked />
      {failure !== null && failure.issues.length === 0 && (
        <Failure message={failure.message} request_id={failure.request_id} />
      )}
      <div>
        <Button look="solid" type="submit" busy={isPending}>
          {texts.connect}
        </Button>
      </div>
    </form>
  );
}
