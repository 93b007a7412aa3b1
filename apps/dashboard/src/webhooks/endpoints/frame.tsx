import { Notice } from "@findersfee/ui/components/notice";
import { SkeletonRows } from "@findersfee/ui/components/skeleton";
import { Time } from "@findersfee/ui/components/values";
import { Page, PageTabs } from "@findersfee/ui/shell/page";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { HistoryLink } from "../../audit-log/link/history-link.tsx";
import { FailureNotice } from "../../requests/failure-notice.tsx";
import { useMay, useSession } from "../../session/session.tsx";
import { ForbiddenPage, isForbidden } from "../../shell/forbidden-page.tsx";
import { NotFoundPage } from "../../shell/not-found-page.tsx";
import { texts as shell_texts } from "../../shell/texts.ts";
import { EndpointActions } from "./actions.tsx";
import { shortUrl } from "./address.ts";
import { type EndpointRow, endpointsQuery } from "./queries.ts";
import { EndpointState } from "./state.tsx";
import { texts } from "./texts.ts";

export interface EndpointFrameProps {
  id: string;
  part: "deliveries" | "replays" | "settings";
  children: (endpoint: EndpointRow) => ReactNode;
}

/** The pages of one endpoint: its name, its state, and its actions. */
export function EndpointFrame({ id, part, children }: EndpointFrameProps) {
  const session = useSession();
  const { home, organization } = session;
  const may_change = useMay("admin");
  const { data, error, refetch } = useQuery(endpointsQuery(session));
  const endpoint = data?.rows.find((item) => item.id === id);
  const list = `${home}/developers/webhooks`;
  const parent = { to: list, label: texts.title };
  if (isForbidden(error)) return <ForbiddenPage error={error} />;
  if (data !== undefined && endpoint === undefined) return <NotFoundPage />;
  if (endpoint === undefined) {
    return (
      <Page title={texts.endpoint} parent={parent}>
        {error === null ? (
          <SkeletonRows label={shell_texts.loading} />
        ) : (
          <FailureNotice error={error} onRetry={() => void refetch()} />
        )}
      </Page>
    );
  }
  const title = shortUrl(endpoint.url);
  return (
    <Page
      key={id}
      title={title}
      document_title={`${title} · ${organization.name}`}
      parent={parent}
      beside={
        <span className="text-table">
          <EndpointState endpoint={endpoint} />
        </span>
      }
      tabs={
        <PageTabs
          label={texts.parts}
          tabs={[
            { to: `${list}/${id}`, label: texts.deliveries, current: part === "deliveries" },
            { to: `${list}/${id}/replays`, label: texts.replays, current: part === "replays" },
            { to: `${list}/${id}/settings`, label: texts.settings, current: part === "settings" },
          ]}
        />
      }
      link={<HistoryLink of={id} />}
      actions={may_change && <EndpointActions endpoint={endpoint} />}
    >
      <WhyDisabled endpoint={endpoint} />
      {children(endpoint)}
    </Page>
  );
}

function WhyDisabled({ endpoint: { enabled, disabled_at, disabled_reason } }: { endpoint: EndpointRow }) {
  if (enabled || disabled_reason === null) return null;
  return (
    <div className="pt-4">
      <Notice
        tone={disabled_reason === "operator" ? "info" : "bad"}
        title={texts.disabled_by[disabled_reason]}
      >
        {texts.disabled_why[disabled_reason]}{" "}
        {disabled_at !== null && (
          <span className="text-muted">
            {texts.disabled_at} <Time at={disabled_at} />
          </span>
        )}
      </Notice>
    </div>
  );
}
