import { APPLICATION_PATH } from "@findersfee/ui/requests/application-path";
import { Page } from "@findersfee/ui/shell/page";
import { useQuery } from "@tanstack/react-query";
import { FailureNotice } from "../../requests/failure-notice.tsx";
import { useMay, useSession } from "../../session/session.tsx";
import { SensitiveProvider } from "../account/sensitive.tsx";
import { DomainsSection } from "./domains-section.tsx";
import { ProviderForm } from "./provider-form.tsx";
import { singleSignOnQuery } from "./queries.ts";
import { texts } from "./texts.ts";
import { UseSection } from "./use-section.tsx";

/** Single sign-on of the organization's members. */
export function SingleSignOnSettingsPage() {
  const session = useSession();
  const is_owner = useMay("owner");
  const { data, error, refetch } = useQuery({ ...singleSignOnQuery(session), enabled: is_owner });
  return (
    <Page title={texts.title} document_title={`${texts.title} · ${session.organization.name}`} width="text">
      <p className="text-table text-muted">
        {is_owner ? texts.hint : texts.owners_only}{" "}
        <a
          href={`${APPLICATION_PATH}/docs/single-sign-on`}
          className="text-accent underline underline-offset-2"
        >
          {texts.docs}
        </a>
      </p>
      {error !== null && <FailureNotice error={error} onRetry={() => void refetch()} />}
      {data !== undefined && (
        <SensitiveProvider>
          <ProviderForm settings={data} />
          {data.provider !== null && <DomainsSection domains={data.domains} />}
          {data.provider !== null && <UseSection provider={data.provider} domains={data.domains} />}
        </SensitiveProvider>
      )}
    </Page>
  );
}
