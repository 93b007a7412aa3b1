import { severalHosts, targetOf } from "@findersfee/database/postgres/hosts";

type Environment = Record<string, string | undefined>;

const TARGETS = ["primary", "read-write"];

/** Why the service cannot connect as a URL and the environment say; null: it can. Names no part of the URL but hosts. */
export function wrongTarget(url: string, environment: Environment): string | null {
  const target = targetOf(url, environment);
  if (target !== null && !TARGETS.includes(target)) {
    return `target_session_attrs (or PGTARGETSESSIONATTRS) is ${target}, but the service writes; set it to primary`;
  }
  const wrong = severalHosts(url, environment)?.hosts.find(
    ({ host, port }) => host === "" || host.startsWith("/") || !(port > 0 && port < 65_536),
  );
  if (wrong === undefined) return null;
  return "has several hosts, of which one is not a name or an address with an optional port; write host:port,host:port";
}
