import { DomainError } from "@findersfee/domain/errors";
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from "fastify";

/**
 * Refuses what no route takes: `method_not_allowed` with the header Allow where the path exists with other
 * methods, `not_found` elsewhere. Call it before the routes are registered.
 */
export function refuseUnrouted(app: FastifyInstance): void {
  const methods = new Map<string, { pattern: RegExp; methods: Set<string> }>();
  app.addHook("onRoute", ({ url, method }: RouteOptions) => {
    const known = methods.get(url) ?? { pattern: patternOf(url), methods: new Set<string>() };
    for (const name of [method].flat()) known.methods.add(name);
    methods.set(url, known);
  });
  // Before anything looks at the body: what is wrong with it does not matter where nobody wants it.
  app.addHook("onRequest", (request, reply, done) => {
    done(request.is404 ? refusal(request, reply) : undefined);
  });

  function refusal(request: FastifyRequest, reply: FastifyReply): DomainError {
    const path = pathOf(request.url);
    const allowed = [...methods.values()].filter(({ pattern }) => pattern.test(path));
    if (allowed.length === 0) {
      return new DomainError("not_found", { message: "There is nothing at this path." });
    }
    const names = new Set(allowed.flatMap(({ methods }) => [...methods]));
    reply.header("allow", [...names].sort().join(", "));
    return new DomainError("method_not_allowed");
  }
}

/** The path alone, also of a URL in absolute form (RFC 9112, 3.2.2). */
function pathOf(url: string): string {
  const [path = ""] = url.replace(/^https?:\/\/[^/?#]*/i, "").split(/[?#]/);
  return path;
}

/** A parameter may be empty, as it may for the router. */
function patternOf(url: string): RegExp {
  const escaped = url.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  return new RegExp(`^${escaped.replace(/:\w+/g, "[^/]*").replace(/\\\*$/, ".*")}$`);
}
