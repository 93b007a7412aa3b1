import { isIP } from "node:net";
import { z } from "zod";

const MAX_HOPS = 10;

const EXPECTED =
  "must be the number of proxies in front of the service, such as 1, or their addresses, such as 10.0.0.0/8,192.0.2.7";

const TOO_TRUSTING = `${EXPECTED}: true would trust every client's X-Forwarded-For, so clients could forge their addresses`;

const WIDE_RANGE = `${EXPECTED}: a range of prefix length 0 would trust every client`;

/**
 * Parses TRUST_PROXY: the number of proxies, or a comma-separated list of their addresses and CIDR ranges.
 * `false` and `0` trust none.
 */
export const trustedProxies = z.string().transform((text, context): false | number | string[] => {
  if (text === "false" || text === "0") return false;
  const refuse = (message: string): never => {
    context.addIssue({ code: "custom", message });
    return z.NEVER;
  };
  if (text === "true") return refuse(TOO_TRUSTING);
  if (/^[0-9]{1,9}$/.test(text)) {
    const hops = Number(text);
    return hops <= MAX_HOPS ? hops : refuse(`${EXPECTED}; at most ${MAX_HOPS} proxies`);
  }
  const ranges = text.split(",").map((range) => range.trim());
  if (!ranges.every(isRange)) return refuse(EXPECTED);
  return ranges.some((range) => range.endsWith("/0")) ? refuse(WIDE_RANGE) : ranges;
});

/** An IP address, or a range in CIDR notation. */
function isRange(text: string): boolean {
  const [address = "", length, ...rest] = text.split("/");
  const version = isIP(address);
  if (version === 0 || rest.length > 0) return false;
  if (length === undefined) return true;
  return /^(0|[1-9][0-9]{0,2})$/.test(length) && Number(length) <= (version === 4 ? 32 : 128);
}
