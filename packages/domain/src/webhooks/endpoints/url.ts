import { isIP } from "node:net";
import { parseUrl } from "@findersfee/contract/parse-url";
import { isPublicAddress } from "./address.ts";

/** The operator's exceptions to the rules: for development, where receivers run on the same machine. */
export interface EndpointUrlRelaxations {
  allow_http: boolean;
  allow_private: boolean;
}

const MAX_LENGTH = 2048;

/** The Fetch standard's bad ports: ports of other protocols, which a forged request could speak to. */
const BLOCKED_PORTS = new Set(
  (
    "0 1 7 9 11 13 15 17 19 20 21 22 23 25 37 42 43 53 69 77 79 87 95 101 102 103 104 109 110 111 113 115 117 119 " +
    "123 135 137 139 143 161 179 389 427 465 512 513 514 515 526 530 531 532 540 548 554 556 563 587 601 636 989 " +
    "990 993 995 1719 1720 1723 2049 3659 4045 4190 5060 5061 6000 6566 6665 6666 6667 6668 6669 6679 6697 10080"
  ).split(" "),
);

/**
 * The problem of an endpoint's URL, or null if none is visible without the network. Each delivery checks for a name
 * that resolves to a private address.
 */
export function endpointUrlProblem(text: string, relaxations: EndpointUrlRelaxations): string | null {
  // The URL parser would silently remove white space.
  const url = text.length > MAX_LENGTH || /[\s\p{Cc}]/u.test(text) ? null : parseUrl(text);
  if (url === null) {
    return `Must be a URL of at most ${MAX_LENGTH} characters, as in https://example.com/webhooks.`;
  }
  if (url.protocol === "http:" && !relaxations.allow_http) return "Must be an https URL.";
  if (url.protocol !== "https:" && url.protocol !== "http:") return "Must be an https URL.";
  if (url.username !== "" || url.password !== "") return "Must not contain a user name or password.";
  if (BLOCKED_PORTS.has(url.port)) return `Must not use port ${url.port}, which belongs to another protocol.`;
  if (!relaxations.allow_private && isPrivateHost(url.hostname)) {
    return "Must not be an address of a private network.";
  }
  return null;
}

/** The URL parser has normalized decimal, octal, hex and shortened IPv4 addresses. */
export function isPrivateHost(hostname: string): boolean {
  const host = hostname.replace(/^\[(.*)\]$/, "$1").replace(/\.$/, "");
  if (isIP(host) !== 0) return !isPublicAddress(host);
  // RFC 6761: these names are the machine itself.
  return host === "localhost" || host.endsWith(".localhost");
}
