import { DomainError } from "@findersfee/domain/errors";
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from "fastify";
import { prefersHtml } from "./prefers-html.ts";

const SLASH = 47;

declare module "fastify" {
  interface FastifyContextConfig {
    /**
     * The route matches unknown paths too, and serves browsers a page; none at paths below the exceptions.
     * `for_all`: the route chooses its own answer for other clients.
     */
    answers_not_found?: { except: readonly string[]; for_all?: boolean };
    /** The route ends with a wildcard, which may be empty or end with a slash. */
    takes_slashes?: boolean;
  }
}

/**
 * Rejects requests that match no route: `method_not_allowed` with the Allow header if the path exists with
 * other methods, otherwise `not_found`. A path with a trailing slash is a different path, so it is
 * `not_found` unless a route has that slash. Call it before the routes are registered.
 */
export function rejectUnrouted(app: FastifyInstance): void {
  const methods = new Map<string, { pattern: RegExp; methods: Set<string> }>();
  app.addHook("onRoute", ({ url, method, config }: RouteOptions) => {
    if (config?.answers_not_found !== undefined) return;
    const known = methods.get(url) ?? { pattern: patternOf(url), methods: new Set<string>() };
    for (const name of [method].flat()) known.methods.add(name);
    methods.set(url, known);
  });
  // Before the body is read: its errors do not matter on a path that does not accept one.
  app.addHook("onRequest", (request, reply, done) => {
    done(isUnrouted(request) ? refusal(request, reply) : undefined);
  });

  function routesAt(path: string) {
    return [...methods.values()].filter(({ pattern }) => pattern.test(path));
  }

  function refusal(request: FastifyRequest, reply: FastifyReply): DomainError {
    const path = pathOf(request.url);
    const allowed = routesAt(path);
    if (allowed.length === 0) return new DomainError("not_found", { message: nothingAt(path) });
    const names = new Set(allowed.flatMap(({ methods }) => [...methods]));
    reply.header("allow", [...names].sort().join(", "));
    return new DomainError("method_not_allowed");
  }

  function nothingAt(path: string): string {
    const without = withoutTrailingSlashes(path);
    if (without === path || routesAt(without).length === 0) return "Unknown path.";
    return `Unknown path. Remove the trailing slash: ${without}`;
  }
}

function isUnrouted(request: FastifyRequest): boolean {
  const { answers_not_found } = request.routeOptions.config;
  if (answers_not_found !== undefined) {
    const path = `${pathOf(request.url)}/`;
    const is_excepted = answers_not_found.except.some((beginning) => path.startsWith(`${beginning}/`));
    return is_excepted || (answers_not_found.for_all !== true && !prefersHtml(request.headers.accept));
  }
  return request.is404 || hasEmptyParameter(request);
}

/** The router matches `/campaigns/` with `/campaigns/:id`, as an empty id. */
function hasEmptyParameter({ url, routeOptions }: FastifyRequest): boolean {
  const query = url.indexOf("?");
  if (url.charCodeAt((query === -1 ? url.length : query) - 1) !== SLASH) return false;
  return routeOptions.config.takes_slashes !== true && routeOptions.url?.endsWith("/") !== true;
}

function withoutTrailingSlashes(path: string): string {
  let end = path.length;
  while (path.charCodeAt(end - 1) === SLASH) end--;
  return path.slice(0, end);
}

/** The path without the query, also from a URL in absolute form (RFC 9112, 3.2.2). */
export function pathOf(url: string): string {
  const [path = ""] = url.replace(/^https?:\/\/[^/?#]*/i, "").split(/[?#]/);
  return path;
}

function patternOf(url: string): RegExp {
  const escaped = url.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  return new RegExp(`^${escaped.replace(/:\w+/g, "[^/]+").replace(/\\\*$/, ".*")}$`);
}
