import { Readable } from "node:stream";
import { readAuditLogInput } from "@findersfee/contract/audit-log";
import { readAuditLog } from "@findersfee/domain/audit-log/feed";
import type { Right } from "@findersfee/domain/identity/rights/right";
import type { FastifyInstance } from "fastify";
import type { Services } from "../context.ts";
import { contextOf, principalOf, readQuery } from "../files/request.ts";
import { requireRight } from "../rights.ts";

/** Only owners give the scope. */
const AUDIT: Right = { scope: "audit", role: "owner" };

/** `GET /audit-log`: the audit log and the security events of members as NDJSON, by cursor, for programs that collect logs. */
export function mountAuditLog(app: FastifyInstance, services: Services): void {
  // A HEAD request would read all lines.
  app.get("/audit-log", { exposeHeadRoute: false }, async (request, reply) => {
    requireRight(principalOf(request), AUDIT);
    const input = readQuery(readAuditLogInput, request);
    const lines = readAuditLog(contextOf(request, services, AUDIT), input);
    reply.header("content-type", "application/x-ndjson; charset=utf-8");
    reply.header("cache-control", "no-store").header("x-content-type-options", "nosniff");
    return reply.send(Readable.from(lines, { objectMode: false }));
  });
}
