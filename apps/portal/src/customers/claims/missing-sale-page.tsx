import { Button } from "@findersfee/ui/components/button";
import { Empty } from "@findersfee/ui/components/empty";
import { SkeletonRows } from "@findersfee/ui/components/skeleton";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useTexts } from "../../language/language.tsx";
import { FailureNotice } from "../../requests/failure-notice.tsx";
import { useSession } from "../../session/session.tsx";
import { Page } from "../../shell/page.tsx";
import { ClaimItem } from "./claim-item.tsx";
import { ClaimForm } from "./form.tsx";
import { ownClaimsQuery } from "./queries.ts";

/** Reports a sale without a commission, and shows the outcome of earlier reports. */
export function MissingSalePage() {
  const { claims, frame } = useTexts();
  const session = useSession();
  const { me, program } = session;
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery(
    ownClaimsQuery(session),
  );
  const rows = data?.pages.flatMap((page) => page.data);
  return (
    <Page title={claims.title} document_title={`${claims.title} · ${program.organization_name}`} width="text">
      <p className="-mt-2 pb-6 text-muted">{claims.hint(program.organization_name)}</p>
      <fieldset disabled={me.by_staff} className="affiliate-only">
        <ClaimForm claims={rows ?? []} />
      </fieldset>
      <section aria-labelledby="reported" className="mt-12">
        <h2 id="reported" className="pb-3 text-lead font-semibold">
          {claims.reported}
        </h2>
        {error !== null && <FailureNotice error={error} onRetry={() => void refetch()} />}
        {rows === undefined && error === null && <SkeletonRows rows={3} label={frame.loading} />}
        {rows?.length === 0 && <Empty title={claims.none_yet}>{claims.none_yet_hint}</Empty>}
        {rows !== undefined && rows.length > 0 && (
          <ul className="divide-y divide-line border-y border-line">
            {rows.map((claim) => (
              <ClaimItem key={claim.id} claim={claim} />
            ))}
          </ul>
        )}
        {hasNextPage && (
          <div className="pt-4">
            <Button busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
              {claims.older}
            </Button>
          </div>
        )}
      </section>
    </Page>
  );
}
