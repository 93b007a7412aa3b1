/** An address of a database's server. */
export interface HostAddress {
  /** A name or an IP address; IPv6 without brackets. */
  host: string;
  port: number;
}

/** A connection URL, taken apart at its hosts. */
export interface SeveralHosts {
  /** In the order of the URL; more than one. */
  hosts: HostAddress[];
  /** The required state of the server at the end of a connection. */
  target_session_attrs: string;
}

type Environment = Record<string, string | undefined>;

const DEFAULT_PORT = "5432";

const ATTRIBUTE = "target_session_attrs";

const PARTS = /^(postgres(?:ql)?:\/\/)((?:[^/?#]*@)?)([^/?#]*)(.*)$/s;

/** Which server a connection wants, by the URL or by `PGTARGETSESSIONATTRS`; null: neither says. */
export function targetOf(url: string, environment: Environment = process.env): string | null {
  const query = /\?([^#]*)/s.exec(url)?.[1] ?? "";
  return new URLSearchParams(query).get(ATTRIBUTE) ?? (environment.PGTARGETSESSIONATTRS || null);
}

/**
 * The hosts of a URL that names several, as libpq reads it: `postgres://user@a:5432,b/db?target_session_attrs=primary`. A URL without
 * a host takes those of `PGHOST`. Without `target_session_attrs`, the primary is wanted. Null: it names one host.
 */
export function severalHosts(url: string, environment: Environment = process.env): SeveralHosts | null {
  const [, , , own = ""] = PARTS.exec(url) ?? [];
  const names = (decodeURIComponent(own) || environment.PGHOST || "").split(",");
  if (names.length < 2) return null;
  const ports = (environment.PGPORT || DEFAULT_PORT).split(",");
  const hosts = names.map((name, index) => {
    const [, bracketed, bare, port] = /^(?:\[(.*)\]|([^:]*))(?::(\d+))?$/.exec(name.trim()) ?? [];
    return { host: bracketed ?? bare ?? "", port: Number(port ?? ports[index] ?? ports[0]) };
  });
  const wanted = targetOf(url, environment) ?? "primary";
  // The driver's `read-write` looks at a setting that a standby has like its primary.
  return { hosts, target_session_attrs: wanted === "read-write" ? "primary" : wanted };
}

/** The same URL with one host, and without `target_session_attrs`. */
export function urlAt(url: string, { host, port }: HostAddress): string {
  const [, scheme = "", login = "", , rest = ""] = PARTS.exec(url) ?? [];
  const name = host.includes(":") ? `[${host}]` : host;
  const [path = "", query] = rest.split("?", 2);
  const others = (query ?? "").split("&").filter((text) => text !== "" && !text.startsWith(`${ATTRIBUTE}=`));
  return `${scheme}${login}${name}:${port}${path}${others.length === 0 ? "" : `?${others.join("&")}`}`;
}
