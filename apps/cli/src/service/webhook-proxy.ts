import { parseUrl } from "@findersfee/contract/parse-url";
import type { ProxyConfig } from "@findersfee/worker/webhooks/proxy";
import { z } from "zod";

const EXPECTED =
  "must be http:// or https:// with a host, such as http://user:password@proxy.example.com:3128";

/** Parses WEBHOOK_PROXY_URL. Its user name and password are percent-encoded, as in any URL. */
export const webhookProxyUrl = z.string().transform((text, context): Omit<ProxyConfig, "resolves_names"> => {
  const refuse = (message: string): never => {
    context.addIssue({ code: "custom", message });
    return z.NEVER;
  };
  const url = /[\s\p{Cc}]/u.test(text) ? null : parseUrl(text);
  if (url === null) return refuse(EXPECTED);
  if (/^socks/.test(url.protocol)) return refuse(`${EXPECTED}; SOCKS proxies are not supported`);
  if (url.protocol !== "http:" && url.protocol !== "https:") return refuse(EXPECTED);
  if (url.pathname !== "/" || url.search !== "" || url.hash !== "") {
    return refuse(`${EXPECTED}; without a path, query or fragment`);
  }
  const credentials = credentialsOf(url);
  if (credentials === null) {
    return refuse(`${EXPECTED}; its credentials must be percent-encoded, and the user name without a colon`);
  }
  const basic = Buffer.from(credentials).toString("base64");
  return { origin: url.origin, authorization: credentials === "" ? null : `Basic ${basic}` };
});

/** `user:password` (RFC 7617); empty without credentials, null for unusable ones. */
function credentialsOf({ username, password }: URL): string | null {
  if (username === "" && password === "") return "";
  // biome-ignore lint/plugin/swallowed-failure: throws only for wrong percent-encoding; null is reported as unusable
  try {
    const user = decodeURIComponent(username);
    const credentials = `${user}:${decodeURIComponent(password)}`;
    return user.includes(":") || /\p{Cc}/u.test(credentials) ? null : credentials;
  } catch {
    return null;
  }
}
