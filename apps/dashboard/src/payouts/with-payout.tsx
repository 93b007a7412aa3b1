import { SkeletonRows } from "@findersfee/ui/components/skeleton";
import { failureOf } from "@findersfee/ui/requests/failure";
import { Page } from "@findersfee/ui/shell/page";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { FailureNotice } from "../requests/failure-notice.tsx";
import { useSession } from "../session/session.tsx";
import { ForbiddenPage, isForbidden } from "../shell/forbidden-page.tsx";
import { NotFoundPage } from "../shell/not-found-page.tsx";
import { texts as shell_texts } from "../shell/texts.ts";
import { payout_texts } from "./payout-texts.ts";
import { type Payout, payoutQuery } from "./queries.ts";
import { texts } from "./texts.ts";

/** A page of a payout, or its states loading, failed, forbidden and unknown. */
export function WithPayout({ id, children }: { id: string; children: (payout: Payout) => ReactNode }) {
  const session = useSession();
  const { data, error, refetch } = useQuery(payoutQuery(session, id));
  if (data !== undefined) return children(data);
  if (isForbidden(error)) return <ForbiddenPage error={error} />;
  const { status, code } = failureOf(error);
  if (status === 404 || code === "invalid_request") return <NotFoundPage />;
  return (
    <Page title={payout_texts.payout} parent={{ to: `${session.home}/payouts`, label: texts.title }}>
      {error === null ? (
        <SkeletonRows label={shell_texts.loading} />
      ) : (
        <FailureNotice error={error} onRetry={() => void refetch()} />
      )}
    </Page>
  );
}
