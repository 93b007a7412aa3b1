import { validateHeaderName, validateHeaderValue } from "node:http";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { customHeaderIssues } from "../../src/webhooks/endpoints/custom-headers.ts";

const NAME = "Must have a header name of at most 64 letters, digits and hyphens, as in X-Api-Key.";
const VALUE = "Must be 1 to 4096 printable ASCII characters, without spaces at either end.";
const RESERVED = "This header is reserved; choose another name.";

/** Ten headers with values of this length. */
function tenHeaders(length: number): Record<string, string> {
  return Object.fromEntries(Array.from({ length: 10 }, (_, index) => [`X-${index}`, "v".repeat(length)]));
}

describe("customHeaderIssues", () => {
  it.each([
    {},
    { Authorization: "Bearer abc.def-ghi_jkl==" },
    { "X-Api-Key": "k", "x-tenant": "a b  c", Cookie: "a=1; b=2" },
    { "1!#$%&'*+.^_`|~-z": "~!" },
    { ["N".repeat(64)]: "v".repeat(4096) },
    tenHeaders(600),
  ])("accepts %j", (headers) => {
    expect(customHeaderIssues(headers)).toEqual([]);
  });

  it.each([
    "",
    " X-Key",
    "X Key",
    "X-Key:",
    "X-Key\r\nHost",
    "X-Schlüssel",
    "X-Key\0",
    "(x)",
    "_x",
    "N".repeat(65),
  ])("rejects the name %j", (name) => {
    expect(customHeaderIssues({ [name]: "v" })).toEqual([
      { path: `headers.${name.slice(0, 64)}`, message: NAME },
    ]);
  });

  it("rejects the name __proto__", () => {
    const headers: Record<string, string> = JSON.parse('{"__proto__":"v"}');
    expect(customHeaderIssues(headers)).toEqual([{ path: "headers.__proto__", message: NAME }]);
  });

  it.each(["", " ", " v", "v ", "a\tb", "a\r\nb: c", "a\nb", "a\0b", "a\x7fb", "ü", "v".repeat(4097)])(
    "rejects the value %j without repeating it",
    (value) => {
      expect(customHeaderIssues({ "X-Key": value })).toEqual([{ path: "headers.X-Key", message: VALUE }]);
    },
  );

  it.each([
    "Accept-Encoding",
    "Connection",
    "Content-Length",
    "Content-Type",
    "Expect",
    "Forwarded",
    "Host",
    "HTTP2-Settings",
    "Keep-Alive",
    "Metadata-Flavor",
    "Proxy-Authorization",
    "TE",
    "Trailer",
    "Transfer-Encoding",
    "Upgrade",
    "User-Agent",
    "Via",
    "Webhook-Id",
    "WEBHOOK-SIGNATURE",
    "X-aws-ec2-metadata-token",
    "X-Forwarded-For",
    "X-Real-IP",
  ])("rejects the reserved name %s", (name) => {
    expect(customHeaderIssues({ [name]: "v" })).toEqual([{ path: `headers.${name}`, message: RESERVED }]);
  });

  it("rejects a duplicate name", () => {
    expect(customHeaderIssues({ "X-Key": "a", "x-key": "b" })).toEqual([
      { path: "headers.x-key", message: "Another header has this name; upper and lower case do not differ." },
    ]);
  });

  it("returns all issues with their paths", () => {
    const headers = { Host: "a", "X-Key": "\n", "X-Fine": "v" };
    expect(customHeaderIssues(headers, "custom_headers").map(({ path }) => path)).toEqual([
      "custom_headers.Host",
      "custom_headers.X-Key",
    ]);
  });

  it("limits the number and the total size", () => {
    expect(customHeaderIssues({ ...tenHeaders(1), "X-10": "v" })).toEqual([
      { path: "headers", message: "Must be at most 10 headers." },
    ]);
    expect(customHeaderIssues(tenHeaders(700))).toEqual([
      { path: "headers", message: "Must be at most 6144 characters in all names and values." },
    ]);
  });

  it("rejects all headers that Node would not send", () => {
    fc.assert(
      fc.property(fc.string(), fc.string({ unit: "binary" }), (name, value) => {
        if (customHeaderIssues({ [name]: value }).length > 0) return;
        validateHeaderName(name);
        validateHeaderValue(name, value);
      }),
    );
  });
});
