import { connect } from "./connect.ts";
import { type HostAddress, severalHosts, urlAt } from "./hosts.ts";

/**
 * The wanted host of a URL that names several, for a client that cannot choose one itself; null: the URL names one. It may have another
 * role a moment later, so the client checks its connection.
 */
export async function findHost(url: string): Promise<HostAddress | null> {
  const several = severalHosts(url);
  if (several === null) return null;
  const database = connect({ url, poolSize: 1, prepare: false, name: "findersfee hosts" });
  try {
    await database`select 1`;
    // Our patch of the driver stores it; its types lack it.
    const { shared } = database.options as unknown as { shared: { hostIndex: number } };
    const found = several.hosts[shared.hostIndex];
    if (found === undefined) throw new Error("the driver did not say which host it chose");
    return found;
  } finally {
    await database.end({ timeout: 0 });
  }
}

/** The URL with the wanted host alone, now. */
export async function urlOfHost(url: string): Promise<string> {
  const host = await findHost(url);
  return host === null ? url : urlAt(url, host);
}
