import { ButtonLink } from "@findersfee/ui/components/button";
import { SkeletonRows } from "@findersfee/ui/components/skeleton";
import { queryOptions, useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { OwedAmounts } from "../../identity/settings/owed-amounts.tsx";
import { useTexts } from "../../language/language.tsx";
import { FailureNotice } from "../../requests/failure-notice.tsx";
import type { portal } from "../../requests/portal.ts";
import { useSession } from "../../session/session.tsx";
import { NarrowPage } from "../../shell/narrow-page.tsx";
import { Contact } from "./contact.tsx";
import { OwnData } from "./own-data.tsx";

function closedQuery(api: typeof portal, affiliate_id: string) {
  return queryOptions({
    queryKey: ["closed", affiliate_id],
    queryFn: ({ signal }) => api.closed.get.query(undefined, { signal }),
  });
}

/** The organization has banned the affiliate, or the affiliate has left: its money, its payouts and its data stay. */
export function ClosedPage() {
  const { states, settings, components } = useTexts();
  const { me, program, api, is_embedded } = useSession();
  const { data, error, refetch } = useQuery(closedQuery(api, program.affiliate_id));
  const has_left = program.state === "left";
  const { organization_name } = program;
  return (
    <NarrowPage
      title={has_left ? states.left(organization_name) : states.banned(organization_name)}
      hint={has_left ? states.left_hint : states.banned_hint}
    >
      {error !== null && <FailureNotice error={error} onRetry={refetch} />}
      {data === undefined && error === null && <SkeletonRows rows={3} label={components.loading} />}
      {data !== undefined && (
        <>
          {data.reason !== null && (
            <Part title={states.reason}>
              <p dir="auto" className="whitespace-pre-wrap">
                {data.reason}
              </p>
            </Part>
          )}
          <Part title={states.owed}>
            {data.owed.length === 0 ? (
              <p className="text-muted">{states.nothing_owed}</p>
            ) : (
              <OwedAmounts owed={data.owed} />
            )}
          </Part>
          <div>
            <ButtonLink to="/payouts">{states.payouts}</ButtonLink>
          </div>
          <Contact email={data.organization.support_email} />
          {!is_embedded && !me.by_staff && (
            <Part title={settings.data}>
              <OwnData />
            </Part>
          )}
        </>
      )}
    </NarrowPage>
  );
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="grid gap-3 border-t border-line pt-5">
      <h2 className="font-semibold">{title}</h2>
      {children}
    </section>
  );
}
