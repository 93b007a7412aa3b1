import { Button } from "@findersfee/ui/components/button";
import { TextField } from "@findersfee/ui/components/controls";
import { CopyButton } from "@findersfee/ui/components/copy";
import { Failure } from "@findersfee/ui/components/notice";
import { Item, Items, Section } from "@findersfee/ui/components/section";
import { State } from "@findersfee/ui/components/state";
import type { FormEvent } from "react";
import { fieldFailures } from "../../forms/field-failures.ts";
import { type SingleSignOn, useChange } from "./queries.ts";
import { texts } from "./texts.ts";

type Domain = SingleSignOn["domains"][number];

/** The domains of addresses that the provider is for, with the records that prove them. */
export function DomainsSection({ domains }: { domains: Domain[] }) {
  const { mutate, isPending, error } = useChange((api, domain: string) => api.add_domain.mutate({ domain }));
  const { errorOf, failure } = fieldFailures(error, ["domain"]);
  const add = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    mutate(String(new FormData(form).get("domain") ?? ""), { onSuccess: () => form.reset() });
  };
  return (
    <Section title={texts.domains} hint={texts.domains_hint}>
      {domains.length > 0 && (
        <Items label={texts.domains}>
          {domains.map((domain) => (
            <DomainItem key={domain.domain} domain={domain} />
          ))}
        </Items>
      )}
      <form onSubmit={add} className="grid gap-3" noValidate>
        <TextField
          label={texts.domain}
          name="domain"
          dir="ltr"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          error={errorOf("domain")}
        />
        {failure !== null && <Failure message={failure.message} request_id={failure.request_id} />}
        <div>
          <Button type="submit" busy={isPending}>
            {texts.add}
          </Button>
        </div>
      </form>
    </Section>
  );
}

function DomainItem({ domain: { domain, record, proven_at, failure } }: { domain: Domain }) {
  const check = useChange((api, _: null) => api.check_domain.mutate({ domain }));
  const remove = useChange((api, _: null) => api.remove_domain.mutate({ domain }));
  const refused = fieldFailures(check.error ?? remove.error, ["domain"]);
  const message = refused.errorOf("domain") ?? refused.failure?.message;
  return (
    <Item
      title={domain}
      beside={
        <State tone={proven_at === null ? "waiting" : failure === null ? "done" : "warning"}>
          {proven_at === null ? texts.not_proven : texts.proven}
        </State>
      }
      actions={
        <>
          <Button busy={check.isPending} onClick={() => check.mutate(null)}>
            {texts.check}
          </Button>
          <Button look="quiet" busy={remove.isPending} onClick={() => remove.mutate(null)}>
            {texts.remove}
          </Button>
        </>
      }
    >
      <RecordLine label={texts.record_name} text={record.name} />
      <RecordLine label={texts.record_value} text={record.value} />
      {failure !== null && <p className="text-warn">{texts.failures[failure]}</p>}
      {message !== undefined && (
        <p role="alert" className="text-bad">
          {message}
        </p>
      )}
    </Item>
  );
}

function RecordLine({ label, text }: { label: string; text: string }) {
  return (
    <p className="flex min-w-0 flex-wrap items-center gap-x-1.5">
      {label} <code className="min-w-0 font-mono text-ink wrap-anywhere">{text}</code>
      <CopyButton text={text} label={label} quiet />
    </p>
  );
}
