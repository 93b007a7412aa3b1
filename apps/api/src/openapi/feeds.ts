import { auditLogLineSchema, documentedAuditLogInput } from "@findersfee/contract/audit-log";
import type { Operation } from "./operations.ts";

/** The operations beside the router, which answer in lines of JSON as they read them: an envelope would need the whole answer. */
export const feeds: readonly Operation[] = [
  {
    name: "audit_log.get",
    id: "getAuditLog",
    body_name: "GetAuditLog",
    success_name: "AuditLogLine",
    method: "get",
    path: "/audit-log",
    openapi: {
      method: "GET",
      path: "/audit-log",
      tags: ["Audit log"],
      summary: "Read the audit log",
      description:
        "Reads changes and security events of members, oldest first, a line of JSON each. Needs a key with the scope `audit`. Store the `cursor` of the last line, and pass it as `after` in the next call; when nothing is new, there is no line. Failures of one network within an hour are one line, which comes again with a higher `times`: deduplicate by `id`, and keep the last.",
    },
    input: documentedAuditLogInput,
    output: auditLogLineSchema,
    success_type: "application/x-ndjson",
    description_of_success: "Lines of JSON. Each is a change or a security event.",
    errors: [],
  },
];
