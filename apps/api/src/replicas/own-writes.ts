import type { Database } from "@findersfee/database/postgres/connect";
import {
  currentPosition,
  FIRST_POSITION,
  LAST_POSITION,
  type Position,
  parsePosition,
  positionText,
} from "@findersfee/database/replicas/position";
import type { Replicas } from "@findersfee/database/replicas/replicas";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { type CookieName, cookieName, readCookie, setCookie } from "../admission/cookies.ts";
import { isSentInHeader } from "../admission/portal-sessions.ts";
import type { ReadRoute, ReadRoutes } from "./route-reads.ts";

/** The header in which frames send the position, as they send their session: browsers block their cookies. */
const POSITION_HEADER = "findersfee-position";

/** A standby that may answer is at most the bound on its lag behind, so by then it has every write. */
const MARGIN_SECONDS = 60;

/** A response waits this long for the position, at most. */
const PATIENCE_MILLISECONDS = 1_000;

/** Below these paths, requests of people write: their next reads see it. */
const PATHS = ["/trpc/", "/account/", "/dashboard/", "/auth/", "/portal/"];

/** Lets standbys answer the reads of people. Each person sees their own writes. */
export class OwnWrites implements ReadRoutes {
  readonly #replicas: Replicas;
  readonly #cookie: CookieName;

  constructor(replicas: Replicas, public_url: string | null) {
    this.#replicas = replicas;
    this.#cookie = cookieName("findersfee_position", public_url);
  }

  /**
   * Where a request may read. Programs read on the primary: they act on events and on each other's writes, which no cookie carries
   * from process to process.
   */
  routeOf(request: FastifyRequest): ReadRoute | null {
    const { principal, portal_session } = request;
    const reader = principal?.kind === "staff_session" ? principal.user_id : portal_session?.email;
    if (reader === undefined) return null;
    const after = this.#positionOf(request);
    return after === null ? null : { replicas: this.#replicas, after, reader };
  }

  #positionOf(request: FastifyRequest): Position | null {
    if (!isSentInHeader(request)) {
      const value = readCookie(request, this.#cookie.name);
      return value === null ? FIRST_POSITION : (parsePosition(value) ?? LAST_POSITION);
    }
    const value = request.headers[POSITION_HEADER];
    return typeof value === "string" ? parsePosition(value) : null;
  }

  /** Has each response to a write carry the position of the write, so that any process behind a load balancer knows it. */
  mark(app: FastifyInstance, database: Database): void {
    app.addHook("onSend", async (request, reply, payload) => {
      if (mayHaveWritten(request, reply)) this.#setPosition(reply, await positionInTime(database));
      return payload;
    });
  }

  #setPosition(reply: FastifyReply, position: Position): void {
    const seconds = this.#replicas.max_lag_seconds + MARGIN_SECONDS;
    const value = positionText(position);
    setCookie(reply, this.#cookie, { value, expires_at: new Date(Date.now() + seconds * 1000) });
    reply.header(POSITION_HEADER, value);
  }
}

/** A request that was refused wrote nothing that its sender reads. After an error of the service, the write may have taken effect. */
function mayHaveWritten({ method, url }: FastifyRequest, { statusCode }: FastifyReply): boolean {
  if (method === "HEAD" || method === "OPTIONS" || (statusCode >= 400 && statusCode < 500)) return false;
  // An identity provider sends people back by GET.
  if (method === "GET") return url.startsWith("/auth/");
  return PATHS.some((path) => url.startsWith(path));
}

/** The position of the primary; the last one if it does not answer, so that all reads go to the primary for a while. */
async function positionInTime(database: Database): Promise<Position> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<Position>((resolve) => {
    timer = setTimeout(resolve, PATIENCE_MILLISECONDS, LAST_POSITION);
  });
  // biome-ignore lint/plugin/swallowed-failure: an outage; the write or the next request reports it
  const known = currentPosition(database).catch(() => LAST_POSITION);
  return await Promise.race([known, late]).finally(() => clearTimeout(timer));
}
