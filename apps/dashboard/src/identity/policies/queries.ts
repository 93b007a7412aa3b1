import { queryOptions } from "@tanstack/react-query";
import type { Session } from "../../session/session.tsx";

export function securityPolicyQuery({ api, organization }: Session) {
  return queryOptions({
    queryKey: [organization.id, "settings", "security"],
    queryFn: ({ signal }) => api.dashboard.security_policy.get.query(undefined, { signal }),
  });
}

export type SecurityPolicy = Awaited<
  ReturnType<Session["api"]["dashboard"]["security_policy"]["get"]["query"]>
>;
