import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ConfigError, endpointUrlRelaxations, readConfig, webhookProxy } from "../../src/config.ts";

const DATABASE_URL = "postgres://user:secret@db.example.com/findersfee";

describe("readConfig", () => {
  it("has defaults for all variables", () => {
    expect(readConfig({})).toEqual({
      DATA_DIR: ".findersfee",
      CONTINUITY_DIR: null,
      HOST: "127.0.0.1",
      PORT: 3000,
      PUBLIC_URL: null,
      TRUST_PROXY: false,
      COUNTRY_HEADER: null,
      DATABASE_URL: null,
      DATABASE_DIRECT_URL: null,
      WORKER_LEASE_SECONDS: 30,
      METRICS_PORT: null,
      OTEL_SDK_DISABLED: false,
      OTEL_TRACES_EXPORTER: null,
      OTEL_EXPORTER_OTLP_ENDPOINT: null,
      OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: null,
      OTEL_EXPORTER_OTLP_PROTOCOL: "http/protobuf",
      OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: null,
      OTEL_TRACES_SAMPLER: "parentbased_always_on",
      OTEL_TRACES_SAMPLER_ARG: 1,
      ATTEMPTS_KEPT_DAYS: 30,
      PROCESSOR_MESSAGES_KEPT_DAYS: 90,
      STRIPE_API_URL: null,
      EXCHANGE_RATES_URL: null,
      SHUTDOWN_DELAY_SECONDS: null,
      SMTP_URL: null,
      MAIL_FROM: "Findersfee <findersfee@localhost>",
      DATABASE_READ_URL: null,
      DATABASE_READ_MAX_LAG_SECONDS: 5,
      DATABASE_POOL_SIZE: 10,
      DATABASE_PREPARE: true,
      DATABASE_STATEMENT_SECONDS: 30,
      SECRETS_KEY: null,
      SECRETS_KEY_FILE: null,
      SECRETS_KEY_FORMER: null,
      SECRETS_KEY_FORMER_FILE: null,
      RATE_LIMIT_PER_MINUTE: 1000,
      TRACK_LIMIT_PER_MINUTE: 300,
      TRACK_CLICKS_PER_MINUTE: 60_000,
      TRACK_SIGNUPS_PER_MINUTE: 600,
      CONCURRENT_REQUESTS_PER_KEY: 100,
      CONCURRENT_REQUESTS_PER_ORGANIZATION: 250,
      CONCURRENT_REQUESTS_PER_ADDRESS: 100,
      SIGN_IN_LIMIT_PER_MINUTE: 60,
      FAILED_AUTHENTICATIONS_PER_MINUTE: 60,
      QUOTA_MAILS_TO_STRANGERS: 500,
      QUOTA_STORED_ANSWERS: 1_000_000,
      QUOTA_AUDIT_LOG_ENTRIES: 1_000_000,
      CORS_ORIGINS: [],
      SERVICE_HOSTS: [],
      DNS_SERVERS: [],
      SECURITY_CONTACT: null,
      LOG_LEVEL: "info",
      WEBHOOK_PROXY_URL: null,
    });
  });

  it("treats an empty variable as unset, and ignores other programs' variables", () => {
    expect(readConfig({ PORT: "", DATABASE_URL: "", HOME: "/root" })).toEqual(readConfig({}));
  });

  it("reads lists, numbers and switches", () => {
    const config = readConfig({
      CORS_ORIGINS: "https://a.example, http://localhost:5173",
      SERVICE_HOSTS: "API.example.com, bücher.example,findersfee",
      DNS_SERVERS: "9.9.9.9,127.0.0.1:5353, 2620:fe::fe,[2620:fe::fe]:53",
      SECURITY_CONTACT: "security@example.com",
      PORT: "0",
      RATE_LIMIT_PER_MINUTE: "0",
      DATABASE_PREPARE: "false",
      DATABASE_STATEMENT_SECONDS: "0",
      TRUST_PROXY: "2",
      COUNTRY_HEADER: "CF-IPCountry",
      PUBLIC_URL: "https://api.example.com/",
    });
    expect(config).toMatchObject({
      CORS_ORIGINS: ["https://a.example", "http://localhost:5173"],
      SERVICE_HOSTS: ["api.example.com", "xn--bcher-kva.example", "findersfee"],
      DNS_SERVERS: ["9.9.9.9", "127.0.0.1:5353", "2620:fe::fe", "[2620:fe::fe]:53"],
      SECURITY_CONTACT: "mailto:security@example.com",
      PORT: 0,
      RATE_LIMIT_PER_MINUTE: 0,
      DATABASE_PREPARE: false,
      DATABASE_STATEMENT_SECONDS: 0,
      TRUST_PROXY: 2,
      COUNTRY_HEADER: "cf-ipcountry",
      PUBLIC_URL: "https://api.example.com",
    });
  });

  it.each([
    ["PORT", "65536"],
    ["PORT", "3000x"],
    ["PORT", "-1"],
    ["DATABASE_READ_MAX_LAG_SECONDS", "1"],
    ["DATABASE_POOL_SIZE", "0"],
    ["DATABASE_PREPARE", "yes"],
    ["DATABASE_STATEMENT_SECONDS", "3601"],
    ["RATE_LIMIT_PER_MINUTE", "1.5"],
    ["CORS_ORIGINS", "https://a.example/"],
    ["CORS_ORIGINS", "*"],
    ["CORS_ORIGINS", "https://a.example,"],
    ["SERVICE_HOSTS", "https://api.example.com"],
    ["SERVICE_HOSTS", "api.example.com:8443"],
    ["SERVICE_HOSTS", "api.example.com,"],
    ["SERVICE_HOSTS", "*.example.com"],
    ["DNS_SERVERS", "dns.example.com"],
    ["DNS_SERVERS", "9.9.9.9:x"],
    ["SECURITY_CONTACT", "http://example.com"],
    ["SECURITY_CONTACT", "somebody"],
    ["LOG_LEVEL", "loud"],
    ["WEBHOOK_ALLOW_HTTP", "on"],
    ["PUBLIC_URL", "api.example.com"],
    ["COUNTRY_HEADER", "CF IPCountry"],
    ["OTEL_SDK_DISABLED", "off"],
    ["OTEL_TRACES_EXPORTER", "jaeger"],
    ["OTEL_EXPORTER_OTLP_ENDPOINT", "collector:4318"],
    ["OTEL_EXPORTER_OTLP_PROTOCOL", "grpc"],
    ["OTEL_TRACES_SAMPLER", "sometimes"],
    ["OTEL_TRACES_SAMPLER_ARG", "1.5"],
    ["TRUST_PROXY", "true"],
    ["TRUST_PROXY", "yes"],
    ["TRUST_PROXY", "11"],
    ["TRUST_PROXY", "1.5"],
    ["TRUST_PROXY", "proxy.example.com"],
    ["TRUST_PROXY", "10.0.0.0/33"],
    ["TRUST_PROXY", "10.0.0.0/8,"],
    ["TRUST_PROXY", "10.0.0.1/8/8"],
    ["TRUST_PROXY", "0.0.0.0/0"],
    ["TRUST_PROXY", "10.0.0.0/8, ::/0"],
  ])("rejects %s=%s with the reason on one line", (name, value) => {
    expect(() => readConfig({ [name]: value })).toThrow(ConfigError);
    expect(() => readConfig({ [name]: value })).toThrow(new RegExp(`^${name}=.*: must be .*\\.$`));
  });

  it.each([
    ["false", false],
    ["0", false],
    ["1", 1],
    ["192.0.2.7", ["192.0.2.7"]],
    ["10.0.0.0/8, 2001:db8::/32,::1", ["10.0.0.0/8", "2001:db8::/32", "::1"]],
  ])("reads TRUST_PROXY=%s", (TRUST_PROXY, expected) => {
    const config = readConfig({ TRUST_PROXY, PUBLIC_URL: "https://api.example.com" });
    expect(config.TRUST_PROXY).toEqual(expected);
  });

  it("rejects TRUST_PROXY=true with the reason and alternatives", () => {
    expect(() => readConfig({ TRUST_PROXY: "true", PUBLIC_URL: "https://api.example.com" })).toThrow(
      /such as 1, or their addresses, such as 10\.0\.0\.0\/8.*: true would trust .* forge their addresses\.$/,
    );
  });

  it("requires PUBLIC_URL with TRUST_PROXY", () => {
    expect(() => readConfig({ TRUST_PROXY: "1" })).toThrow(/^PUBLIC_URL: is required with TRUST_PROXY; set /);
    expect(readConfig({ TRUST_PROXY: "false" }).PUBLIC_URL).toBeNull();
  });

  it("requires TRUST_PROXY with COUNTRY_HEADER", () => {
    expect(() => readConfig({ COUNTRY_HEADER: "CF-IPCountry" })).toThrow(
      /^TRUST_PROXY: is required with COUNTRY_HEADER; set /,
    );
  });

  it.each([
    ["DATABASE_URL", "mysql://user:hunter2@host/x"],
    ["SECRETS_KEY", "hunter2"],
    ["SECRETS_KEY_FORMER", "hunter2"],
    ["SECRETS_KEY", Buffer.alloc(31, 7).toString("base64")],
    ["WEBHOOK_PROXY_URL", "ftp://user:hunter2@proxy"],
  ])("does not repeat an invalid %s", (name, value) => {
    expect(() => readConfig({ [name]: value })).toThrow(new RegExp(`^${name}: must`));
  });
});

describe("endpointUrlRelaxations", () => {
  it("allows all endpoint URLs for the embedded default, and none by default for an external database", () => {
    expect(endpointUrlRelaxations(readConfig({}))).toEqual({ allow_http: true, allow_private: true });
    expect(endpointUrlRelaxations(readConfig({ DATABASE_URL }))).toEqual({
      allow_http: false,
      allow_private: false,
    });
    const explicit = readConfig({ WEBHOOK_ALLOW_HTTP: "false", WEBHOOK_ALLOW_PRIVATE: "true" });
    expect(endpointUrlRelaxations(explicit)).toEqual({ allow_http: false, allow_private: true });
  });
});

describe("SECRETS_KEY_FILE", () => {
  const SECRETS_KEY = Buffer.alloc(32, 7).toString("base64");
  let folder: string;
  let file: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "findersfee-key-"));
    file = join(folder, "secrets.key");
    await writeFile(file, `${SECRETS_KEY}\n`);
  });
  afterEach(() => rm(folder, { recursive: true }));

  it("is where the key is read from", () => {
    expect(readConfig({ SECRETS_KEY_FILE: file, SECRETS_KEY: "" })).toMatchObject({ SECRETS_KEY });
  });

  it("is rejected together with the key, without a file, and with something else in it", async () => {
    expect(() => readConfig({ SECRETS_KEY_FILE: file, SECRETS_KEY })).toThrow(
      "SECRETS_KEY_FILE: cannot be combined with SECRETS_KEY; set one of them.",
    );
    await writeFile(file, "hunter2");
    expect(() => readConfig({ SECRETS_KEY_FILE: file })).toThrow(
      `SECRETS_KEY_FILE=${file}: its content must be 32 bytes in base64, as \`openssl rand -base64 32\` prints them.`,
    );
    await rm(file);
    expect(() => readConfig({ SECRETS_KEY_FILE: file })).toThrow(/^SECRETS_KEY_FILE=.*: ENOENT: .*\.$/);
  });
});

describe("webhookProxy", () => {
  it.each([
    ["http://proxy.example.com:3128", "http://proxy.example.com:3128", null],
    ["https://proxy.example.com/", "https://proxy.example.com", null],
    ["http://10.0.0.5:80", "http://10.0.0.5", null],
    ["http://[::1]:3128", "http://[::1]:3128", null],
    ["http://user:pa%3Ass%40@proxy:3128", "http://proxy:3128", "user:pa:ss@"],
    ["http://user@proxy:3128", "http://proxy:3128", "user:"],
    ["http://:token@proxy:3128", "http://proxy:3128", ":token"],
  ])("reads %s", (WEBHOOK_PROXY_URL, origin, credentials) => {
    expect(webhookProxy(readConfig({ WEBHOOK_PROXY_URL }))).toEqual({
      origin,
      authorization: credentials === null ? null : `Basic ${Buffer.from(credentials).toString("base64")}`,
      resolves_names: false,
    });
  });

  it("is undefined without WEBHOOK_PROXY_URL", () => {
    expect(webhookProxy(readConfig({}))).toBeUndefined();
  });

  it("lets the proxy resolve names only if enabled and configured", () => {
    const WEBHOOK_PROXY_URL = "http://proxy:3128";
    const config = (WEBHOOK_PROXY_RESOLVES_NAMES: string) =>
      webhookProxy(readConfig({ WEBHOOK_PROXY_URL, WEBHOOK_PROXY_RESOLVES_NAMES }));
    expect(config("true")).toMatchObject({ resolves_names: true });
    expect(config("false")).toMatchObject({ resolves_names: false });
    expect(() => readConfig({ WEBHOOK_PROXY_RESOLVES_NAMES: "true" })).toThrow(
      "WEBHOOK_PROXY_RESOLVES_NAMES=true: has no proxy to resolve names; set WEBHOOK_PROXY_URL, or unset it.",
    );
  });

  it.each([
    "proxy.example.com:3128",
    "proxy",
    "http://",
    "ftp://proxy:21",
    "socks5://proxy:1080",
    "http://proxy:3128/path",
    "http://proxy:3128/?a=b",
    "http://proxy:3128#a",
    "http://proxy:99999",
    "http://pro xy:3128",
    "http://user:100%@proxy:3128",
    "http://us%3Aer:hunter2@proxy:3128",
    "http://user:hun%0Ater2@proxy:3128",
  ])("rejects %s with the reason, without repeating it", (WEBHOOK_PROXY_URL) => {
    expect(() => readConfig({ WEBHOOK_PROXY_URL })).toThrow(
      /^WEBHOOK_PROXY_URL: must be http:\/\/ or https:\/\/ with a host, such as \S+3128(; .*)?\.$/,
    );
  });
});
