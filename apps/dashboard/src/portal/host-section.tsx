import { Fact, Facts } from "@findersfee/ui/components/card";
import { Checkbox, TextField } from "@findersfee/ui/components/controls";
import { CopyButton } from "@findersfee/ui/components/copy";
import { Section } from "@findersfee/ui/components/section";
import { Time } from "@findersfee/ui/components/values";
import { APPLICATION_PATH } from "@findersfee/ui/requests/application-path";
import type { ErrorOf } from "../forms/field-failures.ts";
import { CheckHost, type HostProof, HostState, type HostUse } from "./host-proof.tsx";
import type { PortalSettings } from "./queries.ts";
import { texts } from "./texts.ts";

interface HostSectionProps {
  use: HostUse;
  settings: PortalSettings;
  may_change: boolean;
  errorOf: ErrorOf;
}

/** The host name of one use. */
interface OwnHost {
  field: "host" | "link_host";
  host: string | null;
  proof: HostProof | null;
  seen_at: string | null;
  url: string | null;
}

function ownHostOf(settings: PortalSettings, use: HostUse): OwnHost {
  const { urls } = settings;
  return use === "portal"
    ? {
        field: "host",
        host: settings.host,
        proof: settings.host_proof,
        seen_at: settings.host_seen_at,
        url: urls.host,
      }
    : {
        field: "link_host",
        host: settings.link_host,
        proof: settings.link_host_proof,
        seen_at: settings.link_host_seen_at,
        url: urls.links,
      };
}

/** An own host name, of the portal or of links: whether it is served, and otherwise the next step. */
export function HostSection({ use, settings, may_change, errorOf }: HostSectionProps) {
  const { field, host, proof, seen_at, url } = ownHostOf(settings, use);
  const words = texts.hosts[use];
  return (
    <Section title={words.title} hint={words.hint}>
      <TextField
        label={words.label}
        optional
        name={field}
        dir="ltr"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        defaultValue={host ?? ""}
        hint={words.field_hint}
        error={errorOf(field)}
      />
      {host !== null && proof !== null && (
        <>
          <HostState use={use} host={host} proof={proof} url={url} />
          {may_change && <CheckHost use={use} />}
          <Steps
            use={use}
            host={host}
            record={proof.record}
            target={new URL(settings.urls.service).hostname}
          />
          <Facts>
            <HostFacts seen_at={seen_at} proof={proof} />
          </Facts>
        </>
      )}
      {use === "link" && (
        <Checkbox
          name="link_cookies"
          value="true"
          label={texts.link_cookies}
          hint={texts.link_cookies_hint}
          defaultChecked={settings.link_cookies}
        />
      )}
    </Section>
  );
}

function HostFacts({ seen_at, proof }: { seen_at: string | null; proof: HostProof }) {
  return (
    <>
      <Fact label={texts.checked}>
        {proof.checked_at === null ? texts.never : <Time at={proof.checked_at} />}
      </Fact>
      <Fact label={texts.seen}>
        {seen_at === null ? (
          <>
            <p>{texts.never}</p>
            <p className="text-table text-muted">{texts.never_hint}</p>
          </>
        ) : (
          <Time at={seen_at} />
        )}
      </Fact>
    </>
  );
}

interface StepsProps {
  use: HostUse;
  host: string;
  record: HostProof["record"];
  target: string;
}

function Steps({ use, host, record, target }: StepsProps) {
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
            href={`${APPLICATION_PATH}/docs/self-hosting#custom-domains`}
            className="text-accent underline underline-offset-2"
          >
            {texts.step_docs}
          </a>
        </li>
        <li>{texts.step_check(texts.hosts[use].check)}</li>
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
