import { DomainError } from "@findersfee/domain/errors";
import type { FastifyInstance, RouteOptions } from "fastify";

/**
 * Answers for what no route takes: `method_not_allowed` with the header Allow where the path exists with
 * other methods, `not_found` elsewhere. Call it before the routes are registered.
 */
export function answerUnrouted(app: FastifyInstance): void {
  const methods = new Map<string, { pattern: RegExp; methods: Set<string> }>();
  app.addHook("onRoute", ({ url, method }: RouteOptions) => {
    const known = methods.get(url) ?? { pattern: patternOf(url), methods: new Set<string>() };
    for (const name of [method].flat()) known.methods.add(name);
    methods.set(url, known);
  });
  app.setNotFoundHandler((request, reply) => {
    const [path = ""] = request.url.split("?");
    const allowed = [...methods.values()].filter(({ pattern }) => pattern.test(path));
    if (allowed.length === 0)
      throw new DomainError("not_found", { message: "There is nothing at this path." });
    const names = new Set(allowed.flatMap(({ methods }) => [...methods]));
    reply.header("allow", [...names].sort().join(", "));
    throw new DomainError("method_not_allowed");
  });
}

function patternOf(url: string): RegExp {
  const escaped = url.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  return new RegExp(`^${escaped.replace(/:\w+/g, "[^/]+").replace(/\\\*$/, ".*")}/?$`);
}
