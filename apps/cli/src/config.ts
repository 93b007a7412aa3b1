import { readFileSync } from "node:fs";
import { isIP } from "node:net";
import { join } from "node:path";
import type { ApiConfig } from "@findersfee/api/config";
import { parseUrl } from "@findersfee/contract/parse-url";
import type { EndpointUrlRelaxations } from "@findersfee/domain/webhooks/endpoints/url";
import type { ProxyConfig } from "@findersfee/worker/webhooks/proxy";
import { z } from "zod";
import { isOpenedByBrowsers } from "./service/blocked-ports.ts";
import { wrongTarget } from "./service/database-target.ts";
import { trustedProxies } from "./service/trusted-proxies.ts";
import { webhookProxyUrl } from "./service/webhook-proxy.ts";
import { SERVICE_ADDRESS, serviceAddress } from "./webhooks/listen/addresses.ts";
import { SIGNING_SECRET, signingSecret } from "./webhooks/listen/secret.ts";

/** An invalid environment variable. The message names it and the reason. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
}

const SECRETS_KEY = /^[A-Za-z0-9+/]{43}=$/;
const SECRETS_KEY_HELP = "must be 32 bytes in base64, as `openssl rand -base64 32` prints them";

function wholeNumber(minimum: number, maximum: number) {
  const error = `must be a whole number from ${minimum} to ${maximum}`;
  return z
    .string()
    .regex(/^[0-9]{1,9}$/, { error })
    .transform(Number)
    .refine((value) => value >= minimum && value <= maximum, { error });
}

const headerName = z
  .string()
  .regex(/^[A-Za-z][A-Za-z0-9-]{0,63}$/, "must be the name of a header, such as CF-IPCountry")
  .toLowerCase();

const yesOrNo = z
  .enum(["true", "false", "1", "0"], { error: "must be true or false" })
  .transform((value) => value === "true" || value === "1");

/** `https://app.example.com`: scheme, host and port as browsers send them. */
const origin = z.string().refine((value) => parseUrl(value)?.origin === value, {
  error: "must be origins such as https://app.example.com, separated by commas",
});

const hostName = z
  .string()
  .transform((value) => parseUrl(`https://${value}`))
  .refine(
    (url) =>
      url !== null && url.href === `https://${url.hostname}/` && /^[a-z0-9._[\]:-]+$/.test(url.hostname),
    {
      error: "must be host names such as api.example.com, without https:// and port, separated by commas",
    },
  )
  .transform((url) => url?.hostname ?? "");

const nameServer = z.string().refine((value) => isNameServer(value), {
  error: "must be IP addresses of name servers such as 9.9.9.9 or 127.0.0.1:5353, separated by commas",
});

/** `9.9.9.9`, `9.9.9.9:53`, `2620:fe::fe`, `[2620:fe::fe]:53`. */
function isNameServer(value: string): boolean {
  const url = parseUrl(`dns://${value}`);
  const is_bare = isIP(value) !== 0;
  return (
    is_bare ||
    (url !== null && url.href === `dns://${value}` && isIP(url.hostname.replace(/^\[|\]$/g, "")) !== 0)
  );
}

const SECURITY_CONTACT = "must be an email, or an https address of a page";

const securityContact = z
  .string()
  .transform((value) => (/^[^\s@:/]+@[^\s@:/]+$/.test(value) ? `mailto:${value}` : value))
  .refine((value) => /^(mailto:[^\s@]+@[^\s@]+|https:\/\/\S+)$/.test(value) && parseUrl(value) !== null, {
    error: SECURITY_CONTACT,
  });

/** Values separated by commas. */
function list<Value extends z.ZodType<unknown, string>>(value: Value) {
  return z
    .string()
    .transform((text) => text.split(",").map((part) => part.trim()))
    .pipe(z.array(value));
}

const databaseUrl = z
  .string()
  .regex(/^postgres(ql)?:\/\/./, { error: "must start with postgres:// or postgresql://" });

const otlpUrl = z.url({ protocol: /^https?$/, error: "must be an http or https URL" });
const otlpProtocol = z.enum(["http/protobuf", "http/json"], { error: "must be http/protobuf or http/json" });
const SAMPLERS = [
  "always_on",
  "always_off",
  "traceidratio",
  "parentbased_always_on",
  "parentbased_always_off",
  "parentbased_traceidratio",
] as const;

const variables = z.object({
  DATA_DIR: z.string().default(".findersfee"),
  CONTINUITY_DIR: z.string().nullable().default(null),
  HOST: z.string().default("127.0.0.1"),
  PORT: wholeNumber(0, 65535).default(3000),
  PUBLIC_URL: z
    .url({ protocol: /^https?$/, error: "must be an http or https URL" })
    .transform((value) => value.replace(/\/+$/, ""))
    .nullable()
    .default(null),
  SERVICE_HOSTS: list(hostName).default([]),
  DNS_SERVERS: list(nameServer).default([]),
  SECURITY_CONTACT: securityContact.nullable().default(null),
  SIGN_IN_PROVIDER_ALLOW_HTTP: yesOrNo.optional(),
  SIGN_IN_PROVIDER_ALLOW_PRIVATE: yesOrNo.optional(),
  TRUST_PROXY: trustedProxies.default(false),
  COUNTRY_HEADER: headerName.nullable().default(null),
  DATABASE_URL: databaseUrl.nullable().default(null),
  DATABASE_READ_URL: databaseUrl.nullable().default(null),
  DATABASE_READ_MAX_LAG_SECONDS: wholeNumber(2, 3600).default(5),
  DATABASE_POOL_SIZE: wholeNumber(1, 1000).default(10),
  DATABASE_PREPARE: yesOrNo.default(true),
  DATABASE_STATEMENT_SECONDS: wholeNumber(0, 3600).default(30),
  SECRETS_KEY: z.string().regex(SECRETS_KEY, { error: SECRETS_KEY_HELP }).nullable().default(null),
  SECRETS_KEY_FILE: z.string().nullable().default(null),
  SECRETS_KEY_FORMER: z.string().regex(SECRETS_KEY, { error: SECRETS_KEY_HELP }).nullable().default(null),
  SECRETS_KEY_FORMER_FILE: z.string().nullable().default(null),
  RATE_LIMIT_PER_MINUTE: wholeNumber(0, 10_000_000).default(1000),
  TRACK_LIMIT_PER_MINUTE: wholeNumber(0, 10_000_000).default(300),
  TRACK_CLICKS_PER_MINUTE: wholeNumber(0, 100_000_000).default(60_000),
  TRACK_SIGNUPS_PER_MINUTE: wholeNumber(0, 100_000_000).default(600),
  CONCURRENT_REQUESTS_PER_KEY: wholeNumber(0, 1000).default(100),
  CONCURRENT_REQUESTS_PER_ORGANIZATION: wholeNumber(0, 1000).default(250),
  CONCURRENT_REQUESTS_PER_ADDRESS: wholeNumber(0, 1000).default(100),
  SIGN_IN_LIMIT_PER_MINUTE: wholeNumber(0, 10_000_000).default(60),
  FAILED_AUTHENTICATIONS_PER_MINUTE: wholeNumber(0, 10_000_000).default(60),
  QUOTA_STORED_ANSWERS: wholeNumber(0, 100_000_000).default(1_000_000),
  QUOTA_AUDIT_LOG_ENTRIES: wholeNumber(0, 100_000_000).default(1_000_000),
  QUOTA_MAILS_TO_STRANGERS: wholeNumber(0, 100_000_000).default(500),
  CORS_ORIGINS: list(origin).default([]),
  LOG_LEVEL: z
    .enum(["fatal", "error", "warn", "info", "debug", "trace", "silent"], {
      error: "must be fatal, error, warn, info, debug, trace or silent",
    })
    .default("info"),
  // For the job queue, which listens for notifications: a pooler in transaction mode does not forward them.
  DATABASE_DIRECT_URL: databaseUrl.nullable().default(null),
  SHUTDOWN_DELAY_SECONDS: wholeNumber(0, 300).nullable().default(null),
  WORKER_LEASE_SECONDS: wholeNumber(2, 300).default(30),
  METRICS_PORT: wholeNumber(0, 65535).nullable().default(null),
  ATTEMPTS_KEPT_DAYS: wholeNumber(1, 3650).default(30),
  PROCESSOR_MESSAGES_KEPT_DAYS: wholeNumber(1, 3650).default(90),
  STRIPE_API_URL: z
    .url({ protocol: /^https?$/, error: "must be an http or https URL" })
    .nullable()
    .default(null),
  EXCHANGE_RATES_URL: z
    .url({ protocol: /^https?$/, error: "must be an http or https URL" })
    .nullable()
    .default(null),
  SMTP_URL: z
    .string()
    .regex(/^smtps?:\/\/./, { error: "must start with smtp:// or smtps://" })
    .nullable()
    .default(null),
  MAIL_FROM: z.string().default("Findersfee <findersfee@localhost>"),
  WEBHOOK_ALLOW_HTTP: yesOrNo.optional(),
  WEBHOOK_ALLOW_PRIVATE: yesOrNo.optional(),
  WEBHOOK_PROXY_URL: webhookProxyUrl.nullable().default(null),
  WEBHOOK_PROXY_RESOLVES_NAMES: yesOrNo.optional(),
  // OpenTelemetry's; its library reads these and others from the environment itself.
  OTEL_SDK_DISABLED: yesOrNo.default(false),
  OTEL_TRACES_EXPORTER: z.enum(["otlp", "none"], { error: "must be otlp or none" }).nullable().default(null),
  OTEL_EXPORTER_OTLP_ENDPOINT: otlpUrl.nullable().default(null),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: otlpUrl.nullable().default(null),
  OTEL_EXPORTER_OTLP_PROTOCOL: otlpProtocol.default("http/protobuf"),
  OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: otlpProtocol.nullable().default(null),
  OTEL_TRACES_SAMPLER: z
    .enum(SAMPLERS, { error: `must be ${SAMPLERS.slice(0, -1).join(", ")} or ${SAMPLERS.at(-1)}` })
    .default("parentbased_always_on"),
  OTEL_TRACES_SAMPLER_ARG: z
    .string()
    .regex(/^(0(\.\d+)?|1(\.0+)?)$/, { error: "must be a number from 0 to 1" })
    .transform(Number)
    .default(1),
});

const configSchema = variables
  // Behind a proxy, clients use the proxy's address, and the service must not read it from a forgeable
  // header.
  .refine((config) => config.TRUST_PROXY === false || config.PUBLIC_URL !== null, {
    path: ["PUBLIC_URL"],
    error: "is required with TRUST_PROXY; set the address that clients use, such as https://api.example.com",
  })
  .refine((config) => isOpenedByBrowsers(config.PORT), {
    path: ["PORT"],
    error: "browsers and fetch refuse to open this port; choose another one, such as 3000",
  })
  // The embedded database has no standbys.
  .refine((config) => config.DATABASE_READ_URL === null || config.DATABASE_URL !== null, {
    path: ["DATABASE_URL"],
    error: "is required with DATABASE_READ_URL; set it to the primary of the standbys",
  })
  // Anyone else could choose a country.
  .refine((config) => config.COUNTRY_HEADER === null || config.TRUST_PROXY !== false, {
    path: ["TRUST_PROXY"],
    error: "is required with COUNTRY_HEADER; set the addresses of the proxies that set the header",
  })
  .refine((config) => config.WEBHOOK_PROXY_RESOLVES_NAMES !== true || config.WEBHOOK_PROXY_URL !== null, {
    path: ["WEBHOOK_PROXY_RESOLVES_NAMES"],
    error: "has no proxy to resolve names; set WEBHOOK_PROXY_URL, or unset it",
  });

/** Parses the environment variables with these names. */
export type Config = z.output<typeof configSchema>;

const developerSchema = z.object({
  FINDERSFEE_API_KEY: z.string().nullable().default(null),
  FINDERSFEE_URL: serviceAddress(`must be ${SERVICE_ADDRESS}`).nullable().default(null),
  WEBHOOK_SECRET: signingSecret(`must be ${SIGNING_SECRET}`).nullable().default(null),
  XDG_STATE_HOME: z.string().nullable().default(null),
  LOCALAPPDATA: z.string().nullable().default(null),
});

/** Of SHUTDOWN_DELAY_SECONDS: a proxy needs a few health checks to send requests elsewhere. */
const DELAY_BEHIND_PROXY = 5;

/** How many seconds an API process serves requests after it was asked to stop, while it is not ready. */
export function shutdownDelay({ SHUTDOWN_DELAY_SECONDS, TRUST_PROXY }: Config): number {
  return SHUTDOWN_DELAY_SECONDS ?? (TRUST_PROXY === false ? 0 : DELAY_BEHIND_PROXY);
}

/** The configuration of the commands for developers, which do not need the service's own. */
export type DeveloperConfig = z.output<typeof developerSchema>;

/** Variables with values that messages must not show. */
const CONFIDENTIAL = new Set([
  "DATABASE_URL",
  "DATABASE_DIRECT_URL",
  "DATABASE_READ_URL",
  "SECRETS_KEY",
  "SECRETS_KEY_FORMER",
  "SMTP_URL",
  "WEBHOOK_PROXY_URL",
  "FINDERSFEE_API_KEY",
  "FINDERSFEE_URL",
  "WEBHOOK_SECRET",
]);

type Environment = Record<string, string | undefined>;

/**
 * Reads the configuration from the environment; an empty variable counts as unset. `SECRETS_KEY` and `SECRETS_KEY_FORMER` are
 * also set if their values are in files.
 *
 * @throws ConfigError for the first invalid value
 */
export function readConfig(environment: Environment = process.env): Config {
  const config = read(configSchema, environment);
  for (const name of ["DATABASE_URL", "DATABASE_DIRECT_URL"] as const) {
    const url = config[name];
    const wrong = url === null ? null : wrongTarget(url, environment);
    if (wrong !== null) throw new ConfigError(`${name}: ${wrong}.`);
  }
  return {
    ...config,
    SECRETS_KEY: secretsKeyOf(config, "SECRETS_KEY"),
    SECRETS_KEY_FORMER: secretsKeyOf(config, "SECRETS_KEY_FORMER"),
  };
}

function secretsKeyOf(config: Config, name: "SECRETS_KEY" | "SECRETS_KEY_FORMER"): string | null {
  const file = config[`${name}_FILE`];
  if (file === null) return config[name];
  if (config[name] !== null) {
    throw new ConfigError(`${name}_FILE: cannot be combined with ${name}; set one of them.`);
  }
  const variable = `${name}_FILE=${file}`;
  let key: string;
  try {
    key = readFileSync(file, "utf8").trim();
  } catch (error) {
    throw new ConfigError(`${variable}: ${error instanceof Error ? error.message : String(error)}.`);
  }
  if (!SECRETS_KEY.test(key)) throw new ConfigError(`${variable}: its content ${SECRETS_KEY_HELP}.`);
  return key;
}

/**
 * Reads the developer commands' configuration.
 *
 * @throws ConfigError for the first invalid value
 */
export function readDeveloperConfig(environment: Environment = process.env): DeveloperConfig {
  return read(developerSchema, environment);
}

function read<Value>(schema: z.ZodType<Value>, environment: Environment): Value {
  const set = Object.entries(environment).filter(([, value]) => value !== undefined && value !== "");
  const result = schema.safeParse(Object.fromEntries(set));
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const name = String(issue?.path[0]);
  const value = CONFIDENTIAL.has(name) || !environment[name] ? "" : `=${environment[name]}`;
  throw new ConfigError(`${name}${value}: ${issue?.message}.`);
}

/** The API server's configuration. */
export function apiConfig(config: Config): ApiConfig {
  return {
    host: config.HOST,
    port: config.PORT,
    public_url: config.PUBLIC_URL,
    service_hosts: config.SERVICE_HOSTS,
    dns_servers: config.DNS_SERVERS,
    security_contact: config.SECURITY_CONTACT,
    sign_in_providers: signInProviderRelaxations(config),
    rate_limit_per_minute: config.RATE_LIMIT_PER_MINUTE,
    track_limit_per_minute: config.TRACK_LIMIT_PER_MINUTE,
    track_budgets_per_minute: {
      clicks: config.TRACK_CLICKS_PER_MINUTE,
      signups: config.TRACK_SIGNUPS_PER_MINUTE,
    },
    concurrent_requests: {
      per_key: config.CONCURRENT_REQUESTS_PER_KEY,
      per_organization: config.CONCURRENT_REQUESTS_PER_ORGANIZATION,
      per_address: config.CONCURRENT_REQUESTS_PER_ADDRESS,
    },
    sign_in_limit_per_minute: config.SIGN_IN_LIMIT_PER_MINUTE,
    failed_authentications_per_minute: config.FAILED_AUTHENTICATIONS_PER_MINUTE,
    cors_origins: config.CORS_ORIGINS,
    quotas: {
      stored_answers: config.QUOTA_STORED_ANSWERS,
      audit_log_entries: config.QUOTA_AUDIT_LOG_ENTRIES,
      mails_to_strangers: config.QUOTA_MAILS_TO_STRANGERS,
    },
    log_level: config.LOG_LEVEL,
    trust_proxy: config.TRUST_PROXY,
    country_header: config.COUNTRY_HEADER,
  };
}

/** The folder for the known history of the database and the journal of deliveries; null: none. */
export function continuityFolder(config: Config): string | null {
  if (config.CONTINUITY_DIR !== null) return config.CONTINUITY_DIR;
  return config.DATABASE_URL === null ? join(config.DATA_DIR, "continuity") : null;
}

/** Which endpoint URLs are allowed; the embedded default, for development, allows all. */
export function endpointUrlRelaxations(config: Config): EndpointUrlRelaxations {
  const embedded = config.DATABASE_URL === null;
  return {
    allow_http: config.WEBHOOK_ALLOW_HTTP ?? embedded,
    allow_private: config.WEBHOOK_ALLOW_PRIVATE ?? embedded,
  };
}

/** Which addresses of identity providers are allowed; the same for the embedded default. */
function signInProviderRelaxations(config: Config): EndpointUrlRelaxations {
  const embedded = config.DATABASE_URL === null;
  return {
    allow_http: config.SIGN_IN_PROVIDER_ALLOW_HTTP ?? embedded,
    allow_private: config.SIGN_IN_PROVIDER_ALLOW_PRIVATE ?? embedded,
  };
}

/** The proxy for webhooks; undefined for none. */
export function webhookProxy(config: Config): ProxyConfig | undefined {
  if (config.WEBHOOK_PROXY_URL === null) return undefined;
  return { ...config.WEBHOOK_PROXY_URL, resolves_names: config.WEBHOOK_PROXY_RESOLVES_NAMES === true };
}

/**
 * With an external database the operator must provide the secrets key: one generated here would be lost with
 * this machine.
 */
export function requireSecretsKey(config: Config): void {
  if (config.DATABASE_URL === null || config.SECRETS_KEY !== null) return;
  throw new ConfigError(`SECRETS_KEY: is required with DATABASE_URL and ${SECRETS_KEY_HELP}; keep it safe.`);
}
