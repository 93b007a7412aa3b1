import { parse } from "tldts";

/** Listed suffixes below which nothing is public: reverse and home networks (RFC 8375), and Tor (RFC 7686). */
const SPECIAL_SUFFIX = /(^|\.)(arpa|onion)$/;

/**
 * Why no organization can have a host name (`service`: the operator's own; `internal`: its last label is no public top-level
 * domain, as in `metadata.google.internal`; `suffix`: others register names below it, as below `co.uk` and `github.io`); null: one
 * can. By the Public Suffix List, in the version of the package.
 */
export function rejectionOfHost(
  host: string,
  service_hosts: readonly string[],
): "service" | "internal" | "suffix" | null {
  if (service_hosts.includes(host)) return "service";
  const { publicSuffix, isIcann, isPrivate, domain, isIp } = parse(host, { allowPrivateDomains: true });
  const is_listed = isIcann === true || isPrivate === true;
  if (isIp === true || !is_listed || SPECIAL_SUFFIX.test(publicSuffix ?? "")) return "internal";
  return domain === null ? "suffix" : null;
}
