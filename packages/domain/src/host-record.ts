import { Resolver } from "node:dns/promises";
import type { HostFailure } from "@findersfee/database/portal/hosts";

/** The result of a look at the TXT record of a host name. */
export type HostRecordResult = "proven" | HostFailure;

/** Looks at the record of a host name for an organization. Never throws: name servers that fail are `unanswered`. */
export type LookAtHostRecord = (host: string, organization_id: string) => Promise<HostRecordResult>;

const LABEL = "_findersfee";
const PREFIX = "findersfee=";

/** Each name server is asked twice, for this long. */
const TIMEOUT_MILLISECONDS = 2_500;
const TRIES = 2;

/** Answers that say that there is no such record, unlike failures. */
const NO_RECORD = new Set(["ENOTFOUND", "ENODATA"]);

/**
 * The TXT record that proves a host name. Only a person who controls the domain can write it. It names the
 * organization by its id, which need not be secret: nobody gains by publishing the record of another
 * organization.
 */
export function hostRecordOf(host: string, organization_id: string): { name: string; value: string } {
  return { name: `${LABEL}.${host}`, value: `${PREFIX}${organization_id}` };
}

/** Asks the given name servers, such as `9.9.9.9` or `127.0.0.1:5353`; with none, the system's. */
export function createHostRecords(name_servers: readonly string[]): LookAtHostRecord {
  const resolver = new Resolver({ timeout: TIMEOUT_MILLISECONDS, tries: TRIES });
  if (name_servers.length > 0) resolver.setServers(name_servers);
  return async (host, organization_id) => {
    const { name, value } = hostRecordOf(host, organization_id);
    try {
      // A long record is in several strings.
      const texts = (await resolver.resolveTxt(name)).map((strings) => strings.join("").trim());
      if (texts.includes(value)) return "proven";
      return texts.some((text) => text.startsWith(PREFIX)) ? "different" : "missing";
    } catch (error) {
      return error instanceof Error && "code" in error && NO_RECORD.has(String(error.code))
        ? "missing"
        : "unanswered";
    }
  };
}
