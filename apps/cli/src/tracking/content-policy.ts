import { createHash } from "node:crypto";

/** A Content-Security-Policy: sources by directive, in lower case. */
export type Policy = ReadonlyMap<string, readonly string[]>;

/** The policies of a header, which may have several. */
export function readPolicies(header: string): Policy[] {
  return header
    .split(",")
    .map((text) => {
      const policy = new Map<string, string[]>();
      for (const directive of text.split(";")) {
        const [name = "", ...sources] = directive.trim().split(/\s+/);
        // The first one of a name counts.
        if (name !== "" && !policy.has(name.toLowerCase())) policy.set(name.toLowerCase(), sources);
      }
      return policy;
    })
    .filter(({ size }) => size > 0);
}

/** A load of a page: a script or a request to an address, or code within the page. */
export type Load =
  | { kind: "script"; url: string; nonce: string | null }
  | { kind: "request"; url: string }
  | { kind: "inline"; code: string; nonce: string | null };

/** The directives that decide about each, the first one that a policy has. */
const DIRECTIVES = {
  script: ["script-src-elem", "script-src", "default-src"],
  inline: ["script-src-elem", "script-src", "default-src"],
  request: ["connect-src", "default-src"],
} as const;

/** The directive that blocks a load of a page at an address; null: none does. */
export function blockingDirective(policies: readonly Policy[], page: string, load: Load): string | null {
  for (const policy of policies) {
    const name = DIRECTIVES[load.kind].find((directive) => policy.has(directive));
    if (name !== undefined && !isAllowed(policy.get(name) ?? [], page, load)) return name;
  }
  return null;
}

function isAllowed(sources: readonly string[], page: string, load: Load): boolean {
  if (load.kind !== "request" && load.nonce !== null && sources.includes(`'nonce-${load.nonce}'`))
    return true;
  if (load.kind === "inline") return allowsCode(sources, load.code);
  // Only scripts with a nonce, and those that they add, run then.
  if (load.kind === "script" && sources.includes("'strict-dynamic'")) return false;
  return sources.some((source) => matches(source, page, load.url));
}

function allowsCode(sources: readonly string[], code: string): boolean {
  const hashes = sources.filter((source) => /^'(sha(256|384|512)|nonce)-/.test(source));
  // With a nonce or a hash, browsers ignore 'unsafe-inline'.
  if (sources.includes("'unsafe-inline'") && hashes.length === 0) return true;
  return ["sha256", "sha384", "sha512"].some((algorithm) =>
    sources.includes(`'${algorithm}-${createHash(algorithm).update(code).digest("base64")}'`),
  );
}

/** A source of a host: scheme, host or `*.host`, port and path. All but the host may be absent. */
const HOST_SOURCE = /^(?:([a-z][a-z0-9+.-]*):\/\/)?(\*|(?:\*\.)?[^/:*]+)(?::(\d+|\*))?(\/.*)?$/i;

function matches(source: string, page: string, address: string): boolean {
  const [url, own] = [new URL(address), new URL(page)];
  if (source === "'self'") return url.origin === own.origin || isUpgraded(own, url);
  if (source === "*") return /^https?:$/.test(url.protocol);
  if (/^[a-z][a-z0-9+.-]*:$/i.test(source)) return fitsScheme(source.toLowerCase(), url.protocol);
  const [, scheme, host = "", port, path] = HOST_SOURCE.exec(source) ?? [];
  if (!fitsScheme(scheme === undefined ? own.protocol : `${scheme.toLowerCase()}:`, url.protocol))
    return false;
  return fitsHost(host.toLowerCase(), url.hostname) && fitsPort(port, url) && fitsPath(path, url.pathname);
}

function isUpgraded(own: URL, url: URL): boolean {
  return own.hostname === url.hostname && own.protocol === "http:" && url.protocol === "https:";
}

/** A source with http allows https, too. */
function fitsScheme(wanted: string, protocol: string): boolean {
  return wanted === protocol || (wanted === "http:" && protocol === "https:");
}

function fitsHost(wanted: string, host: string): boolean {
  if (wanted === "*") return true;
  return wanted.startsWith("*.") ? host.endsWith(wanted.slice(1)) : host === wanted;
}

function fitsPort(wanted: string | undefined, { port, protocol }: URL): boolean {
  const used = port === "" ? (protocol === "https:" ? "443" : "80") : port;
  if (wanted === undefined) return port === "";
  return wanted === "*" || wanted === used || (wanted === "80" && used === "443");
}

/** A path that ends with a slash allows everything below it. */
function fitsPath(wanted: string | undefined, path: string): boolean {
  if (wanted === undefined || wanted === "/") return true;
  return wanted.endsWith("/") ? path.startsWith(wanted) : path === wanted;
}
