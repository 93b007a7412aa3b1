import { Fact, Facts } from "@findersfee/ui/components/card";
import { TextField } from "@findersfee/ui/components/controls";
import { CopyButton } from "@findersfee/ui/components/copy";
import { Section } from "@findersfee/ui/components/section";
import { Time } from "@findersfee/ui/components/values";
import { APPLICATION_PATH } from "@findersfee/ui/requests/application-path";
import type { ErrorOf } from "../forms/field-failures.ts";
import { CheckHost, type HostProof, HostState } from "./host-proof.tsx";
import type { PortalSettings } from "./queries.ts";
import { texts } from "./texts.ts";

interface HostSectionProps {
  settings: PortalSettings;
  may_change: boolean;
  errorOf: ErrorOf;
}

/** The portal's own host name: whether it is served, and what to do so that it is. */
export function HostSection({ settings, may_change, errorOf }: HostSectionProps) {
  const { host, host_proof: proof, urls } = settings;
  return (
    <Section title={texts.own_host} hint={texts.own_host_hint}>
      <TextField
        label={texts.host}
        optional
        name="host"
        dir="ltr"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        defaultValue={host ?? ""}
        hint={texts.host_field_hint}
        error={errorOf("host")}
      />
      {host !== null && proof !== null && (
        <>
          <HostState host={host} proof={proof} url={urls.host} />
          {may_change && <CheckHost />}
          <Steps host={host} record={proof.record} target={new URL(urls.service).hostname} />
          <Facts>
            <HostFacts settings={settings} proof={proof} />
          </Facts>
        </>
      )}
    </Section>
  );
}

function HostFacts({ settings, proof }: { settings: PortalSettings; proof: HostProof }) {
  const { host_seen_at } = settings;
  return (
    <>
      <Fact label={texts.checked}>
        {proof.checked_at === null ? texts.never : <Time at={proof.checked_at} />}
      </Fact>
      <Fact label={texts.seen}>
        {host_seen_at === null ? (
          <>
            <p>{texts.never}</p>
            <p className="text-table text-muted">{texts.never_hint}</p>
          </>
        ) : (
          <Time at={host_seen_at} />
        )}
      </Fact>
    </>
  );
}

function Steps({ host, record, target }: { host: string; record: HostProof["record"]; target: string }) {
  return (
    <div className="grid gap-1.5 text-table">
      <p className="font-medium">{texts.steps}</p>
      <ol className="grid list-decimal gap-2 pl-5 text-muted wrap-anywhere">
        <li>
          {texts.step_proof}
          <Entry label={texts.record_name} text={record.name} />
          <Entry label={texts.record_value} text={record.value} />
        </li>
        <li>
          {texts.step_dns(host)}
          <Entry label={texts.record_target} text={target} />
        </li>
        <li>
          {texts.step_proxy}{" "}
          <a
            href={`${APPLICATION_PATH}/docs/self-hosting#host-names-of-organizations`}
            className="text-accent underline underline-offset-2"
          >
            {texts.step_docs}
          </a>
        </li>
        <li>{texts.step_check}</li>
      </ol>
    </div>
  );
}

/** A part of a record, as people paste it at their provider of DNS. */
function Entry({ label, text }: { label: string; text: string }) {
  return (
    <span className="flex min-w-0 flex-wrap items-center gap-x-1">
      {label} <code className="min-w-0 font-mono text-ink">{text}</code>
      <CopyButton text={text} label={texts.copy_of(label)} quiet />
    </span>
  );
}
