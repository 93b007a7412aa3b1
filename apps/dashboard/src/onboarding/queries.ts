import { queryOptions } from "@tanstack/react-query";
import { IDLE_MILLISECONDS, live } from "../requests/live.ts";
import type { Session } from "../session/session.tsx";

type Procedures = Session["api"]["dashboard"]["onboarding"];

export type Onboarding = Awaited<ReturnType<Procedures["status"]["query"]>>;

/** The first steps; they turn done by themselves while somebody looks at them. */
export function onboardingQuery({ api, organization }: Session) {
  return queryOptions({
    queryKey: [organization.id, "onboarding"],
    queryFn: ({ signal }) => api.dashboard.onboarding.status.query(undefined, { signal }),
    refetchInterval: live(({ commission }: Onboarding) => commission === null),
  });
}

/** A played sale, until a worker has decided it. */
export function testSaleQuery({ api, organization }: Session, id: string | null) {
  return queryOptions({
    queryKey: [organization.id, "onboarding", "sale", id],
    queryFn: ({ signal }) => api.dashboard.onboarding.test_sale.query({ id: id ?? "" }, { signal }),
    enabled: id !== null,
    refetchInterval: ({ state: { data, error } }) => {
      if (error !== null) return IDLE_MILLISECONDS;
      return data === undefined || data.state === "waiting" ? 700 : false;
    },
  });
}
