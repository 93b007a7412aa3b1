import { Readable } from "node:stream";
import { idInput } from "@findersfee/contract/fields";
import { exportOwnPerformanceInput } from "@findersfee/contract/reports/performance";
import { DomainError } from "@findersfee/domain/errors";
import {
  affiliateSessionOf,
  type PortalSession,
  requireAffiliate,
  requireOwnSession,
} from "@findersfee/domain/portal/authenticate";
import { requireActive } from "@findersfee/domain/portal/own";
import { readOwnCommissions, readOwnData } from "@findersfee/domain/portal/own-data";
import type { AffiliateSession } from "@findersfee/domain/principal";
import { exportOwnPerformance } from "@findersfee/domain/reports/performance/own";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { AddressLimiter } from "../admission/address-limiter.ts";
import { routedContext, type Services } from "../context.ts";
import { issuesOf } from "../issues.ts";
import { readRouted } from "../replicas/route-reads.ts";

/** Files of an affiliate in an hour and process. */
const PER_HOUR = 10;
const HOUR_MILLISECONDS = 60 * 60_000;

/**
 * Serves the stored data of an affiliate: `GET /portal/files/{affiliate_id}/data.json`, its commissions,
 * `commissions.csv`, and a table of its performance, `performance.csv`. The first two are written while they are read.
 */
export function servePortalFiles(app: FastifyInstance, services: Services): void {
  const { database } = services;
  const limiter = new AddressLimiter(PER_HOUR, HOUR_MILLISECONDS);
  const sendersOf = (request: FastifyRequest, reply: FastifyReply) => {
    const senders = readSenders(request);
    if (limiter.count(senders.affiliate.affiliate_id)) {
      reply.header("retry-after", limiter.reset_seconds);
      throw new DomainError("rate_limited", {
        message: `You can download ${PER_HOUR} files an hour. Try again later.`,
      });
    }
    return senders;
  };
  // A HEAD request would read everything.
  app.get("/:affiliate_id/data.json", { exposeHeadRoute: false }, async (request, reply) => {
    const { affiliate, portal_session } = sendersOf(request, reply);
    const content = await readOwnData(database, affiliate, portal_session);
    return send(reply, { name: "data.json", type: "application/json", content });
  });
  app.get("/:affiliate_id/commissions.csv", { exposeHeadRoute: false }, async (request, reply) => {
    const { affiliate } = sendersOf(request, reply);
    const content = readOwnCommissions(database, affiliate);
    return send(reply, { name: "commissions.csv", type: "text/csv", content });
  });
  app.get("/:affiliate_id/performance.csv", { exposeHeadRoute: false }, async (request, reply) => {
    const { affiliate } = sendersOf(request, reply);
    const input = exportOwnPerformanceInput.safeParse(request.query);
    if (!input.success) throw new DomainError("invalid_request", { issues: issuesOf(input.error) });
    const { data } = input;
    const active = requireActive(affiliate);
    const content = await readRouted(routedContext(request, services), (sql) =>
      exportOwnPerformance(sql, active, data),
    );
    return send(reply, { name: "performance.csv", type: "text/csv", content: [content] });
  });
}

function readSenders({ portal_session, params, url }: FastifyRequest): {
  affiliate: AffiliateSession;
  portal_session: PortalSession;
} {
  if (portal_session === null) throw new Error(`route ${url} is not behind authorize`);
  requireAffiliate(portal_session);
  requireOwnSession(portal_session);
  const id = idInput.safeParse((params as { affiliate_id: string }).affiliate_id);
  return { affiliate: affiliateSessionOf(portal_session, id.data ?? ""), portal_session };
}

function send(
  reply: FastifyReply,
  { name, type, content }: { name: string; type: string; content: AsyncGenerator<string> | string[] },
): FastifyReply {
  reply.header("content-type", `${type}; charset=utf-8`);
  reply.header("content-disposition", `attachment; filename="${name}"`);
  reply.header("x-content-type-options", "nosniff");
  return reply.send(Readable.from(content, { objectMode: false }));
}
