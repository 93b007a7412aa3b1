import { SkeletonRows } from "@findersfee/ui/components/skeleton";
import { lazyPart } from "@findersfee/ui/requests/lazy-part";
import { Page } from "@findersfee/ui/shell/page";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { Suspense, useRef } from "react";
import { paymentCountsQuery } from "../../attribution/queries.ts";
import { campaignsQuery } from "../../campaigns/queries.ts";
import { onboardingQuery } from "../../onboarding/queries.ts";
import { useSession } from "../../session/session.tsx";
import { ForbiddenPage, isForbidden } from "../../shell/forbidden-page.tsx";
import { texts as shell_texts } from "../../shell/texts.ts";
import { attentionQuery } from "../attention.ts";
import { Overview } from "./overview-page.tsx";
import { balanceTotalsQuery, overviewQuery } from "./queries.ts";
import { DEFAULT_PERIOD } from "./range.ts";
import { texts } from "./texts.ts";

const GetStartedPage = lazyPart(() => import("../../onboarding/get-started.tsx"), "GetStartedPage");

const route = getRouteApi("/o/$slug/");

/** The overview; the first steps in its place until there is a commission or they were put away. */
export function StartPage() {
  const session = useSession();
  const search = route.useSearch();
  // Somebody who watches the steps sees the last one turn green, and not the overview at that moment.
  const has_steps = useRef(false);
  const { data: onboarding, error } = useQuery(onboardingQuery(session));
  // Asked at once, and not only when it is known which page they are for.
  useQuery(overviewQuery(session, search));
  useQuery(attentionQuery(session));
  useQuery(balanceTotalsQuery(session));
  useQuery(paymentCountsQuery(session, search.period ?? DEFAULT_PERIOD));
  useQuery(campaignsQuery(session));
  if (isForbidden(error)) return <ForbiddenPage error={error} />;
  const waiting = (
    <Page title={texts.title}>
      <SkeletonRows label={shell_texts.loading} />
    </Page>
  );
  // A failure of the steps does not hide the overview.
  if (onboarding === undefined && error === null) return waiting;
  const has_begun =
    onboarding === undefined ||
    onboarding.is_test ||
    onboarding.dismissed_at !== null ||
    (!has_steps.current && (onboarding.commission !== null || onboarding.payment !== null));
  has_steps.current = !has_begun;
  if (has_begun) return <Overview search={search} />;
  return (
    <Suspense fallback={waiting}>
      <GetStartedPage />
    </Suspense>
  );
}
