import type { Database } from "@findersfee/database/postgres/connect";
import { OutageGuard } from "@findersfee/database/postgres/outage-guard";
import { createSessionAuthenticator } from "@findersfee/domain/identity/accounts/authenticate";
import { createAuthenticator } from "@findersfee/domain/identity/api-keys/authenticate";
import { createRejectionRecorder } from "@findersfee/domain/identity/policies/rejections";
import { createPortalAuthenticator } from "@findersfee/domain/portal/authenticate";
import { createNetworkRecorder } from "@findersfee/domain/portal/record-networks";
import type { ApiKeyPrincipal } from "@findersfee/domain/principal";
import type { SecretsKey } from "@findersfee/domain/secrets/secrets";
import type { FastifyInstance } from "fastify";
import type { ApiConfig } from "../config.ts";
import type { Limits } from "../limits.ts";
import { identifyFromNetworks } from "./allowed-networks.ts";
import { ArrivingBodies } from "./arriving-bodies.ts";
import { FailedAuthentications } from "./failed-authentications.ts";
import { type Identify, identifier } from "./identify.ts";
import { createPortalSessions, type PortalSessions } from "./portal-sessions.ts";
import { RequestSlots, type SlotLimits } from "./request-slots.ts";
import { createSessions, type Sessions } from "./sessions.ts";
import { createTlsWarning } from "./tls-warning.ts";

/**
 * The maximum number of unauthenticated bodies arriving at once; each may hold as much memory as its route
 * allows.
 */
const ARRIVING_BODIES = { total: 200, per_address: 20 };

/** Decides which requests the process works on, shared by all its surfaces. */
export interface Admission {
  identify: Identify<ApiKeyPrincipal>;
  /** The principal of a key that was valid within the last hour, for answers while the database is away; null: there is none. */
  rememberKey: (key: string) => ApiKeyPrincipal | null;
  sessions: Sessions;
  portal_sessions: PortalSessions;
  failures: FailedAuthentications;
  /** A hook for pages of people: warns once if a proxy serves them by https and `PUBLIC_URL` is not set. */
  warnOfTls: ReturnType<typeof createTlsWarning>;
  /** Creates a pool of slots for requests in progress, with the configured limits and these overrides. */
  createSlots(limits?: Partial<SlotLimits>): RequestSlots;
  /** Creates a limit for bodies from unauthenticated clients. */
  createBodyBound(): ArrivingBodies;
}

export function createAdmission(
  app: FastifyInstance,
  {
    config,
    limits,
    database,
    secrets_key,
  }: { config: ApiConfig; limits: Limits; database: Database; secrets_key: SecretsKey },
): Admission {
  app.decorateRequest("network", null);
  app.decorateRequest("cached_ip", null);
  const { per_key, per_organization, per_address } = config.concurrent_requests;
  const guard = new OutageGuard(database);
  app.addHook("onClose", () => guard.stop());
  const failures = new FailedAuthentications(config.failed_authentications_per_minute);
  const createSlots = (others: Partial<SlotLimits> = {}) =>
    new RequestSlots(app, guard, {
      total: limits.in_flight,
      milliseconds: limits.handler_milliseconds,
      key: orInfinite(per_key),
      user: orInfinite(per_key),
      organization: orInfinite(per_organization),
      address: orInfinite(per_address),
      ...others,
    });
  const lookups = createSlots({ needs_no_database: true });
  const recordRejection = createRejectionRecorder(database, (error) =>
    app.log.error({ err: error }, "failed to record a request from a network that is not allowed"),
  );
  const authenticator = createAuthenticator(database);
  const identifyKey = identifier({ authenticator, failures, lookups });
  return {
    failures,
    warnOfTls: createTlsWarning(),
    identify: identifyFromNetworks(identifyKey, recordRejection),
    rememberKey: (key) => authenticator.remember(key),
    sessions: createSessions({
      identify: identifier({ authenticator: createSessionAuthenticator(database), failures, lookups }),
      public_url: config.public_url,
      recordRejection,
    }),
    portal_sessions: createPortalSessions({
      identify: identifier({ authenticator: createPortalAuthenticator(database), failures, lookups }),
      recordNetwork: createNetworkRecorder(database, {
        secrets_key,
        onError: (error) => app.log.error({ err: error }, "failed to record the network of an affiliate"),
      }),
      public_url: config.public_url,
    }),
    createSlots,
    createBodyBound: () =>
      new ArrivingBodies(app, { ...ARRIVING_BODIES, milliseconds: limits.body_milliseconds }),
  };
}

/** A configured limit of 0 means no limit. */
function orInfinite(limit: number): number {
  return limit === 0 ? Number.POSITIVE_INFINITY : limit;
}
