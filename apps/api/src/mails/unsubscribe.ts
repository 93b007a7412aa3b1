import type { Database } from "@findersfee/database/postgres/connect";
import { DomainError } from "@findersfee/domain/errors";
import {
  getSubscription,
  type Subscription,
  type Unsubscribing,
  unsubscribe,
} from "@findersfee/domain/mails/unsubscribe";
import { unsubscribeKey } from "@findersfee/domain/mails/unsubscribe-token";
import type { SecretsKey } from "@findersfee/domain/secrets/secrets";
import type { FastifyInstance, FastifyReply } from "fastify";
import type { Admission } from "../admission/admission.ts";
import { limitAddresses } from "../admission/limit-addresses.ts";
import { sendError } from "../error-response.ts";
import { PAGE_POLICY, unsubscribePage } from "./unsubscribe-page.ts";

const ROUTE = { bodyLimit: 8 * 1024 };

export interface UnsubscribeDependencies {
  database: Database;
  secrets_key: SecretsKey;
  admission: Admission;
  /** Per address; 0 for no limit. */
  limit_per_minute: number;
}

/**
 * Serves `/unsubscribe/{token}`, the link in mails about new paid referrals that turns them off. `GET` shows
 * a page with a button and changes nothing; `POST`, from that button or from a mail program (RFC 8058), turns
 * them off.
 */
export function serveUnsubscribe(app: FastifyInstance, parts: UnsubscribeDependencies): void {
  const { database, secrets_key, admission, limit_per_minute } = parts;
  const slots = admission.createSlots();
  app.register(async (scope) => {
    if (limit_per_minute > 0) scope.addHook("onRequest", limitAddresses(limit_per_minute));
    scope.setErrorHandler((error, request, reply) => sendError(error, request, reply));
    // The token is all that counts: bodies of mail programs are ignored, regardless of their type.
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser("*", { parseAs: "buffer" }, (_request, _body, done) => done(null, null));
    admission.createBodyBound().watch(scope);
    scope.addHook("preHandler", (request, reply, done) => {
      slots.take(reply);
      slots.holdAddress(request, reply);
      admission.failures.requireAttempt(request, reply);
      done();
    });
    scope.addHook("onError", (request, _reply, error, done) => {
      if (error instanceof DomainError && error.code === "not_found") admission.failures.count(request);
      done();
    });
    mount(scope, { database, key: unsubscribeKey(secrets_key) });
  });
}

function mount(scope: FastifyInstance, unsubscribing: Unsubscribing): void {
  const path = "/unsubscribe/:token";
  scope.get<{ Params: { token: string } }>(path, ROUTE, async ({ params }, reply) =>
    sendPage(reply, await getSubscription(unsubscribing, params.token)),
  );
  scope.post<{ Params: { token: string } }>(path, ROUTE, async ({ params }, reply) =>
    sendPage(reply, await unsubscribe(unsubscribing, params.token)),
  );
}

function sendPage(reply: FastifyReply, subscription: Subscription): FastifyReply {
  return reply
    .header("content-security-policy", PAGE_POLICY)
    .header("x-content-type-options", "nosniff")
    .header("referrer-policy", "no-referrer")
    .header("x-robots-tag", "noindex")
    .header("cache-control", "no-store")
    .type("text/html; charset=utf-8")
    .send(unsubscribePage(subscription));
}
