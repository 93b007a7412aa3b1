import { Fact, Facts } from "@findersfee/ui/components/card";
import { TextField } from "@findersfee/ui/components/controls";
import { CopyButton } from "@findersfee/ui/components/copy";
import { Section } from "@findersfee/ui/components/section";
import { Time } from "@findersfee/ui/components/values";
import { APPLICATION_PATH } from "@findersfee/ui/requests/application-path";
import type { ErrorOf } from "../forms/field-failures.ts";
import type { PortalSettings } from "./queries.ts";
import { texts } from "./texts.ts";

/** The portal's own host name, and what to do so that it leads here. */
export function HostSection({ settings, errorOf }: { settings: PortalSettings; errorOf: ErrorOf }) {
  const { host, host_seen_at, urls } = settings;
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
      {host !== null && urls.host !== null && (
        <>
          <Steps host={host} target={new URL(urls.service).hostname} url={urls.host} />
          <Facts>
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
          </Facts>
        </>
      )}
    </Section>
  );
}

function Steps({ host, target, url }: { host: string; target: string; url: string }) {
  return (
    <div className="grid gap-1.5 text-table">
      <p className="font-medium">{texts.steps}</p>
      <ol className="grid list-decimal gap-2 pl-5 text-muted wrap-anywhere">
        <li>
          {texts.step_dns(host)} <code className="font-mono text-ink">{target}</code>
          <CopyButton text={target} quiet />
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
        <li>
          {texts.step_open}{" "}
          <a
            href={url}
            target="_blank"
            rel="noreferrer noopener"
            className="text-accent underline underline-offset-2"
          >
            {url}
          </a>
        </li>
      </ol>
    </div>
  );
}
