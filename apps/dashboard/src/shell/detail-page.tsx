import { SkeletonRows } from "@findersfee/ui/components/skeleton";
import { failureOf } from "@findersfee/ui/requests/failure";
import { Page, type PageProps } from "@findersfee/ui/shell/page";
import type { ReactNode } from "react";
import { FailureNotice } from "../requests/failure-notice.tsx";
import { useSession } from "../session/session.tsx";
import { ForbiddenPage, isForbidden } from "./forbidden-page.tsx";
import { NotFoundPage } from "./not-found-page.tsx";
import { texts } from "./texts.ts";

export interface DetailPageProps<Data> extends Pick<PageProps, "width" | "tabs"> {
  query: { data: Data | undefined; error: unknown; refetch: () => unknown };
  /** The list that it belongs to, with the heading until it is loaded. */
  parent: { to: string; label: string };
  title: (data: Data) => string;
  beside?: (data: Data) => ReactNode;
  actions?: (data: Data) => ReactNode;
  children: (data: Data) => ReactNode;
}

/** The page of one thing, with its states: loading, failed, forbidden, unknown. */
export function DetailPage<Data>(props: DetailPageProps<Data>) {
  const { query, parent, title, beside, actions, children, ...page } = props;
  const { organization } = useSession();
  const { data, error, refetch } = query;
  if (data !== undefined) {
    return (
      <Page
        {...page}
        title={title(data)}
        document_title={`${title(data)} · ${organization.name}`}
        parent={parent}
        beside={beside?.(data)}
        actions={actions?.(data)}
      >
        {children(data)}
      </Page>
    );
  }
  if (isForbidden(error)) return <ForbiddenPage error={error} />;
  const { status, code } = failureOf(error);
  if (error !== null && (status === 404 || code === "invalid_request")) return <NotFoundPage />;
  return (
    <Page {...page} title={parent.label} parent={parent}>
      {error === null ? (
        <SkeletonRows label={texts.loading} />
      ) : (
        <FailureNotice error={error} onRetry={() => void refetch()} />
      )}
    </Page>
  );
}
