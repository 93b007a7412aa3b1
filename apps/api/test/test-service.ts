import type { Role } from "@findersfee/contract/identity/roles";
import type { Database } from "@findersfee/database/postgres/connect";
import type { Replicas } from "@findersfee/database/replicas/replicas";
import {
  createTestDatabase,
  type TestDatabase,
  type TestDatabaseOptions,
} from "@findersfee/database/testing";
import { sessionCookieName } from "@findersfee/domain/identity/accounts/session-cookie";
import { type CreatedOrganization, createOrganization } from "@findersfee/domain/organizations/create";
import { signIn } from "@findersfee/domain/testing/accounts";
import type { ProcessMetrics } from "@findersfee/telemetry/process-metrics";
import { createTRPCClient, httpLink, type TRPCClient } from "@trpc/client";
import type { ApplicationFolders } from "../src/applications/documents.ts";
import type { ApiConfig } from "../src/config.ts";
import { LIMITS, type Limits } from "../src/limits.ts";
import type { AppRouter } from "../src/router.ts";
import { startApi } from "../src/server.ts";

/** The real service on the test file's own database, listening on a real port. */
export interface TestService {
  url: string;
  /** The origin of its pages. */
  origin: string;
  database: Database;
  database_url: string;
  /** Creates an organization and clients with its keys. */
  organization(options?: {
    currency?: string;
    subscription_status?: "active" | "canceled";
  }): Promise<TestClient>;
  /** A client for the API's surfaces with any key. */
  client(api_key: string): Surfaces;
  /** A client for the dashboard's surface of a new member of an organization, an owner by default. */
  staff(organization_id: string, role?: Role): Promise<StaffClient>;
  close(): Promise<void>;
}

export interface ApiResponse {
  status: number;
  headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: other tests validate the bodies
  body: any;
}

export interface Surfaces {
  /** The service's address, and the API key. */
  url: string;
  api_key: string;
  /** REST: `rest("POST", "/campaigns", {…})`. */
  rest(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<ApiResponse>;
  trpc: TRPCClient<AppRouter>;
}

/** A person in the dashboard. */
export interface StaffClient {
  url: string;
  user_id: string;
  /** The session, the organization and the page's origin. */
  headers: Record<string, string>;
  trpc: TRPCClient<AppRouter>;
}

export interface TestClient extends Surfaces, CreatedOrganization {}

/** The endpoint policy in tests. */
export const ENDPOINT_POLICY = { secrets_key: Buffer.alloc(32), allow_http: false, allow_private: false };

export const QUIET: ApiConfig = {
  host: "127.0.0.1",
  port: 0,
  public_url: null,
  service_hosts: [],
  dns_servers: [],
  security_contact: null,
  sign_in_providers: { allow_http: false, allow_private: false },
  rate_limit_per_minute: 0,
  track_limit_per_minute: 0,
  country_header: null,
  track_budgets_per_minute: { clicks: 0, signups: 0 },
  quotas: { stored_answers: 0, audit_log_entries: 0, mails_to_strangers: 0 },
  concurrent_requests: { per_key: 0, per_organization: 0, per_address: 0 },
  sign_in_limit_per_minute: 0,
  failed_authentications_per_minute: 0,
  cors_origins: [],
  log_level: "silent",
  trust_proxy: false,
};

let shared: Promise<TestService> | null = null;

/**
 * The service of all test files of this process, with one database, which the first of them starts. For files that only
 * look at organizations of their own, because rows of former files are there. It has no options.
 *
 * `close` leaves it to the next file: it ends with the process, and the test run drops its database.
 */
export async function sharedTestService(): Promise<TestService> {
  shared ??= startTestService();
  return { ...(await shared), close: async () => {} };
}

/** A file of 64 MiB takes longer to arrive on a busy machine. */
const PATIENT: Limits = { ...LIMITS, request_milliseconds: 180_000 };

export async function startTestService(
  config: Partial<ApiConfig> = {},
  limits: Limits = PATIENT,
  applications: ApplicationFolders = {},
  options: TestDatabaseOptions = {},
): Promise<TestService> {
  return await serveTestDatabase(await createTestDatabase(options), { config, limits, applications });
}

/** The service on a database that the caller has prepared; `close` closes that, too. */
export async function serveTestDatabase(
  { database, url: database_url, close: closeDatabase }: TestDatabase,
  {
    config = {},
    limits = PATIENT,
    applications = {},
    replicas,
    registries = [],
  }: {
    config?: Partial<ApiConfig>;
    limits?: Limits;
    applications?: ApplicationFolders;
    replicas?: Replicas;
    /** Further metrics at `/metrics`. */
    registries?: ProcessMetrics["registry"][];
  },
): Promise<TestService> {
  const api = await startApi({ ...QUIET, ...config }, database, {
    endpoint_policy: ENDPOINT_POLICY,
    applications,
    limits,
    replicas,
    registries,
  });
  const client = (api_key: string): Surfaces => ({
    url: api.url,
    api_key,
    rest: (method, path, body, headers = {}) =>
      callRest(`${api.url}/v1${path}`, { method, body, headers, api_key }),
    trpc: createTRPCClient<AppRouter>({
      links: [httpLink({ url: `${api.url}/v1/trpc`, headers: { authorization: `Bearer ${api_key}` } })],
    }),
  });
  const staff = async (organization_id: string, role: Role = "owner"): Promise<StaffClient> => {
    const { user_id, token } = await signIn(database, { organization_id, role });
    const { public_url = null } = config;
    const headers = {
      cookie: `${sessionCookieName(public_url)}=${token}`,
      "findersfee-organization": organization_id,
      origin: new URL(public_url ?? api.url).origin,
    };
    const trpc = createTRPCClient<AppRouter>({ links: [httpLink({ url: `${api.url}/trpc`, headers })] });
    return { url: api.url, user_id, headers, trpc };
  };
  return {
    url: api.url,
    origin: config.public_url ?? api.url,
    database,
    database_url,
    client,
    staff,
    organization: async ({ currency = "USD", subscription_status = "active" } = {}) => {
      const created = await createOrganization(database, { name: "Test", currency, subscription_status });
      return { ...created, ...client(created.api_key) };
    },
    close: async () => {
      await api.close();
      await closeDatabase();
    },
  };
}

async function callRest(
  url: string,
  {
    method,
    body,
    headers,
    api_key,
  }: { method: string; body: unknown; headers: Record<string, string>; api_key: string },
): Promise<ApiResponse> {
  const response = await fetch(url, {
    method,
    headers: {
      authorization: `Bearer ${api_key}`,
      ...(body === undefined ? {} : { "content-type": "application/json" }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: text === "" ? null : JSON.parse(text) };
}
