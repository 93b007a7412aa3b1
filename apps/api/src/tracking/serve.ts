import {
  cutAddress,
  followLinkInput,
  type TrackedClick,
  type TrackedSignup,
  trackClickInput,
  trackDiscountInput,
  trackSignupInput,
} from "@findersfee/contract/tracking/tracking";
import { DomainError, notFound } from "@findersfee/domain/errors";
import { LINK_HOST_PATH } from "@findersfee/domain/portal/ask-host";
import { readClickDiscount } from "@findersfee/domain/tracking/click-discount";
import { followLink } from "@findersfee/domain/tracking/follow-link";
import { recordClick } from "@findersfee/domain/tracking/record-click";
import { reportSignUp } from "@findersfee/domain/tracking/report-sign-up";
import type { Tracking } from "@findersfee/domain/tracking/tracking";
import type { Visitor } from "@findersfee/domain/tracking/visitor";
import type { FastifyInstance, FastifyRequest } from "fastify";
import type { z } from "zod";
import type { Admission } from "../admission/admission.ts";
import { limitAddresses } from "../admission/limit-addresses.ts";
import { addressOf, networkOf } from "../admission/network.ts";
import { sendError } from "../error-response.ts";
import { issuesOf } from "../issues.ts";
import { acceptJson } from "../rest/json-body.ts";
import { automationOf } from "./automatic.ts";
import { readClickCookie, setCookieForPage, setCookieOfLink } from "./click-cookie.ts";
import { requireSite, signUpReporter, type TrackingIdentification, trackingPrincipal } from "./principal.ts";
import { REDIRECT_ROUTE, readRedirectLink } from "./redirect-link.ts";
import { serveScripts } from "./script.ts";

const BODY_BYTES = 8 * 1024;
/** The content type that browsers send without a CORS preflight. */
const BODY_TYPES = ["application/json", "text/plain"];
/** CORS for tracking is decided here, not by the API's list of origins. */
const ROUTE = { bodyLimit: BODY_BYTES, config: { cors: false, logFailuresOnly: true } } as const;
const LINK_ROUTE = { ...ROUTE, config: { ...ROUTE.config, takes_slashes: true } } as const;
/** How long browsers may cache the preflight. */
const PREFLIGHT_SECONDS = 86_400;

export interface TrackingDependencies {
  tracking: Tracking;
  admission: Admission;
  /** Per address; 0 for no limit. */
  limit_per_minute: number;
  /** The header in which trusted proxies report the visitor's country; null: none. */
  country_header: string | null;
}

/** Serves tracking: the scripts, clicks, discounts, sign-ups and redirect links. */
export function serveTracking(app: FastifyInstance, parts: TrackingDependencies): void {
  serveScripts(app);
  const { tracking, admission, limit_per_minute, country_header } = parts;
  const slots = admission.createSlots({ needs_no_database: true });
  const { identify, rememberKey } = admission;
  const served: Served = { tracking, country_header, identify, slots };
  app.register(async (scope) => {
    if (limit_per_minute > 0) scope.addHook("onRequest", limitAddresses(limit_per_minute));
    scope.setErrorHandler((error, request, reply) => sendError(ownWords(error), request, reply));
    acceptJson(scope, ({ value }) => value, BODY_TYPES);
    admission.createBodyBound().watch(scope);
    // The body is complete: only now does the request take a slot.
    scope.addHook("preHandler", (request, reply, done) => {
      slots.take(reply);
      slots.holdAddress(request, reply);
      done();
    });
    serveLinkHost(scope);
    serveClicks(scope, served);
    serveDiscounts(scope, served);
    serveSignups(scope, served);
    serveLinks(scope, { ...served, rememberKey });
  });
}

interface Served extends TrackingIdentification {
  tracking: Tracking;
  country_header: string | null;
}

/** The service asks for it, to know that it answers at a host name of links. */
function serveLinkHost(scope: FastifyInstance): void {
  scope.get(LINK_HOST_PATH, ROUTE, async ({ link_host }) => {
    if (link_host === null) throw notFound("custom link domain here");
    return { success: true, data: { organization_id: link_host.organization_id } };
  });
}

/** The body of a request. At a host name of links, its publishable key need not be in it. */
function withKeyOfHost({ body, link_host }: FastifyRequest): unknown {
  const key = link_host?.publishable_key ?? null;
  return key !== null && typeof body === "object" && body !== null && !Array.isArray(body)
    ? { key, ...body }
    : body;
}

function serveClicks(scope: FastifyInstance, { tracking, country_header, ...identification }: Served): void {
  allowAsking(scope, "/track/click");
  scope.post("/track/click", ROUTE, async (request, reply) => {
    const input = read(trackClickInput, withKeyOfHost(request));
    const who = trackingPrincipal(identification, { request, reply, key: input.key });
    const { organization } = who instanceof Promise ? await who : who;
    const allowed = requireSite(tracking, request, reply);
    if (allowed instanceof Promise) await allowed;
    const click = await recordClick(tracking, organization.id, {
      code: input.code ?? null,
      visitor: visitorOf(request),
      automation: automationOf(request),
      landing_url: input.url ?? null,
      referrer: input.referrer || null,
      sub_id: input.sub ?? null,
      country: countryOf(request, country_header),
      click_id: input.click_id ?? null,
      previous_click_id: input.previous_click_id ?? null,
    });
    const data: TrackedClick = { ...click, cookie: setCookieForPage(request, reply, click) };
    return { success: true, data };
  });
}

function serveDiscounts(
  scope: FastifyInstance,
  { tracking, country_header: _, ...identification }: Served,
): void {
  allowAsking(scope, "/track/discount");
  scope.post("/track/discount", ROUTE, async (request, reply) => {
    const { key, click_id } = read(trackDiscountInput, withKeyOfHost(request));
    const { organization } = await trackingPrincipal(identification, { request, reply, key });
    await requireSite(tracking, request, reply);
    return { success: true, data: await readClickDiscount(tracking, organization.id, click_id) };
  });
}

function serveSignups(
  scope: FastifyInstance,
  { tracking, country_header: _, ...identification }: Served,
): void {
  allowAsking(scope, "/track/signup");
  scope.post("/track/signup", ROUTE, async (request, reply) => {
    const { key, ...input } = read(trackSignupInput, withKeyOfHost(request));
    const { organization, reporter } = await signUpReporter(identification, { request, reply, key });
    await requireSite(tracking, request, reply);
    await reportSignUp(tracking, organization, input, reporter);
    const data: TrackedSignup = { accepted: true };
    return { success: true, data };
  });
}

function serveLinks(scope: FastifyInstance, { tracking, country_header, ...identification }: Served): void {
  scope.get(REDIRECT_ROUTE, LINK_ROUTE, async (request, reply) => {
    const { code, passed_on, ...parameters } = readRedirectLink(request.url);
    const { link_host } = request;
    if (link_host !== null) parameters.key = link_host.publishable_key ?? undefined;
    const input = read(followLinkInput, parameters);
    const who = trackingPrincipal(identification, { request, reply, key: input.key });
    const { organization } = who instanceof Promise ? await who : who;
    const { location, click } = await followLink(tracking, organization.id, {
      code,
      passed_on,
      visitor: visitorOf(request),
      automation: automationOf(request),
      referrer: refererOf(request),
      sub_id: input.sub ?? null,
      country: countryOf(request, country_header),
      previous_click_id: readClickCookie(request),
    });
    if (click !== null && link_host !== null) {
      await setCookieOfLink(tracking, { request, reply, click, link_host });
    }
    return reply.header("cache-control", "no-store").redirect(location, 302);
  });
}

/**
 * Answers CORS preflights for JSON for any page. Only the request itself has the key, and so shows whether the page belongs to
 * the organization.
 */
function allowAsking(scope: FastifyInstance, path: string): void {
  scope.options(path, ROUTE, async (_request, reply) => {
    reply.header("access-control-allow-origin", "*").header("access-control-allow-methods", "POST");
    reply.header("access-control-allow-headers", "content-type");
    return reply.header("access-control-max-age", PREFLIGHT_SECONDS).status(204).send();
  });
}

function read<Schema extends z.ZodType>(schema: Schema, input: unknown): z.output<Schema> {
  const result = schema.safeParse(input === undefined ? {} : input);
  if (result.success) return result.data;
  throw new DomainError("invalid_request", { issues: issuesOf(result.error) });
}

function visitorOf(request: FastifyRequest): Visitor {
  return {
    address: addressOf(request),
    network: networkOf(request),
    user_agent: request.headers["user-agent"] ?? "",
  };
}

/** Of requests through a trusted proxy alone: others could have any header. */
function countryOf(request: FastifyRequest, country_header: string | null): string | null {
  if (country_header === null) return null;
  // Each read of this property parses the addresses.
  const { ips } = request;
  if (ips === undefined || ips.length < 2) return null;
  const country = request.headers[country_header];
  return typeof country === "string" && /^[A-Z]{2}$/i.test(country) ? country.toUpperCase() : null;
}

function refererOf({ headers }: FastifyRequest): string | null {
  return cutAddress(headers.referer ?? "") || null;
}

function ownWords(error: unknown): unknown {
  const is_too_large = error instanceof Error && "statusCode" in error && error.statusCode === 413;
  return is_too_large
    ? new DomainError("payload_too_large", { message: "The body is larger than 8 KiB." })
    : error;
}
