/** The addresses of the single hosts of an address with several: `postgres://user@one:5432,two/name`. */
export function urlsOfHosts(url: string): string[] {
  const match = /^(\w+:\/\/(?:[^/?#]*@)?)([^/?#@]*)(.*)$/s.exec(url);
  if (match === null) return [url];
  const [, before = "", hosts = "", after = ""] = match;
  return hosts.split(",").map((host) => `${before}${host}${after}`);
}

/** The host and port of an address, to name it in logs and metrics. */
export function hostOf(url: string): string {
  const { hostname, port } = new URL(url);
  return `${hostname}:${port === "" ? "5432" : port}`;
}
