import type { CreatedApiKeyView } from "@findersfee/contract/identity/api-keys";
import { Code } from "@findersfee/ui/components/code";
import { CopyButton } from "@findersfee/ui/components/copy";
import { Notice } from "@findersfee/ui/components/notice";
import { APPLICATION_PATH } from "@findersfee/ui/requests/application-path";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { tagOf } from "../../onboarding/addresses.ts";
import { onboardingQuery } from "../../onboarding/queries.ts";
import { useSession } from "../../session/session.tsx";
import { texts } from "./texts.ts";

export type NewKey = Pick<CreatedApiKeyView, "kind" | "scopes" | "token">;

const VARIABLE = "FINDERSFEE_API_KEY";

/** A new key, and how to use it. */
export function CreatedKey({ created: { kind, scopes, token } }: { created: NewKey }) {
  const service = `${window.location.origin}${APPLICATION_PATH}`;
  const env = `export ${VARIABLE}=${token}`;
  const command = commandFor(scopes, service);
  return (
    <>
      {kind === "secret" && (
        <Notice tone="warn" title={texts.shown_once}>
          {texts.shown_once_hint}
        </Notice>
      )}
      <div className="flex flex-wrap items-center gap-2">
        <code className="min-w-0 flex-1 rounded-control bg-sunk px-3 py-2 font-mono text-table break-all">
          {token}
        </code>
        <CopyButton text={token} />
      </div>
      {kind === "publishable" ? (
        <TagLine publishable_key={token} />
      ) : (
        <Line title={texts.env}>
          <Code label={texts.env} copy={env}>
            {env}
          </Code>
        </Line>
      )}
      {command !== null && (
        <Line title={texts.try}>
          <Code label={texts.try} copy={command}>
            {command}
          </Code>
        </Line>
      )}
    </>
  );
}

/** The tag of the pages with the key. */
function TagLine({ publishable_key }: { publishable_key: string }) {
  const { data } = useQuery(onboardingQuery(useSession()));
  if (data === undefined) return null;
  const tag = tagOf(publishable_key, data.tracker);
  return (
    <Line title={texts.tag}>
      <Code label={texts.tag} copy={tag}>
        {tag}
      </Code>
    </Line>
  );
}

function Line({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className="grid gap-1.5">
      <h3 className="text-table font-medium">{title}</h3>
      {children}
    </div>
  );
}

/** A request that the key may make, and that changes nothing; null: it may only write, or only track. */
function commandFor(scopes: NewKey["scopes"], service: string): string | null {
  const authorization = `-H "Authorization: Bearer $${VARIABLE}"`;
  if (scopes.includes("read")) return `curl -s "${service}/v1/campaigns?limit=1" ${authorization}`;
  if (scopes.includes("view") || scopes.includes("admin")) {
    return `curl -s ${service}/trpc/dashboard.settings.get ${authorization}`;
  }
  return null;
}
