import { queryOptions } from "@tanstack/react-query";
import type { Session } from "../../session/session.tsx";

export type RulePeriod = Awaited<
  ReturnType<Session["api"]["affiliate_rules"]["get"]["query"]>
>["periods"][number];

/** The affiliate's own rules, oldest first. */
export function ownRulesQuery({ api, organization }: Session, affiliate_id: string) {
  return queryOptions({
    queryKey: [organization.id, "affiliates", "rules", affiliate_id],
    queryFn: ({ signal }) => api.affiliate_rules.get.query({ affiliate_id }, { signal }),
  });
}
