import { describe, expect, it } from "vitest";
import { isPublicAddress } from "../../src/webhooks/endpoints/address.ts";
import { endpointUrlProblem } from "../../src/webhooks/endpoints/url.ts";

const STRICT = { allow_http: false, allow_private: false };

describe("endpointUrlProblem", () => {
  it.each([
    "https://example.com/webhooks",
    "https://example.com",
    "https://example.com:8443/a?b=c",
    "https://hooks.example.co.uk/%E2%82%AC",
    "https://münchen.example/",
    "https://8.8.8.8/",
    "https://[2606:4700:4700::1111]/",
    "https://localhost.example.com/",
    "https://127.0.0.1.example.com/",
    `https://example.com/${"a".repeat(2028)}`,
  ])("accepts %s", (url) => {
    expect(endpointUrlProblem(url, STRICT)).toBeNull();
  });

  it.each([
    ["http://example.com/", "Must be an https URL."],
    ["ftp://example.com/", "Must be an https URL."],
    ["javascript:alert(1)", "Must be an https URL."],
    ["file:///etc/passwd", "Must be an https URL."],
    ["https://user@example.com/", "Must not contain a user name or password."],
    ["https://:secret@example.com/", "Must not contain a user name or password."],
    ["https://example.com:25/", "Must not use port 25, which belongs to another protocol."],
    ["https://example.com:6667/", "Must not use port 6667, which belongs to another protocol."],
    ["https://example.com:0/", "Must not use port 0, which belongs to another protocol."],
  ])("rejects %s", (url, problem) => {
    expect(endpointUrlProblem(url, STRICT)).toBe(problem);
  });

  it.each([
    "",
    "example.com/webhooks",
    "https://",
    "https://exa mple.com/",
    " https://example.com/",
    "https://example.com/\n",
    "https://example.com/a\tb",
    "https://example.com/\u0000",
    "https://example.com:99999/",
    "https://[::1/",
    "https://1.2.3.256/",
    `https://example.com/${"a".repeat(2029)}`,
  ])("rejects %j, which is no URL", (url) => {
    expect(endpointUrlProblem(url, STRICT)).toMatch(/^Must be a URL/);
  });

  it.each([
    "127.0.0.1",
    "127.1",
    "127.0.1",
    "2130706433",
    "0x7f000001",
    "0x7f.1",
    "017700000001",
    "0177.0.0.01",
    "127.0.0.1.",
    "１２７.0.0.1",
    "0",
    "0.0.0.0",
    "10.1.2.3",
    "100.64.0.1",
    "169.254.169.254",
    "172.31.255.255",
    "192.168.0.1",
    "168.63.129.16",
    "255.255.255.255",
    "[::]",
    "[::1]",
    "[0:0:0:0:0:0:0:1]",
    "[::ffff:127.0.0.1]",
    "[::ffff:7f00:1]",
    "[::127.0.0.1]",
    "[64:ff9b::10.0.0.1]",
    "[64:ff9b:1::8.8.8.8]",
    "[fe80::1]",
    "[fd00::1]",
    "[ff02::1]",
    "[2001::1]",
    "[2001:db8::1]",
    "[2002:7f00:1::]",
    "[3fff::1]",
    "localhost",
    "LOCALHOST.",
    "api.localhost",
  ])("rejects the private host %s unless private hosts are allowed", (host) => {
    const url = `https://${host}/webhooks`;
    expect(endpointUrlProblem(url, STRICT)).toBe("Must not be an address of a private network.");
    expect(endpointUrlProblem(url, { ...STRICT, allow_private: true })).toBeNull();
  });

  it("accepts http only if it is allowed", () => {
    const relaxed = { allow_http: true, allow_private: false };
    expect(endpointUrlProblem("http://example.com/", relaxed)).toBeNull();
    expect(endpointUrlProblem("http://127.0.0.1/", relaxed)).not.toBeNull();
    expect(endpointUrlProblem("ws://example.com/", relaxed)).not.toBeNull();
    expect(
      endpointUrlProblem("http://127.0.0.1:3999/", { allow_http: true, allow_private: true }),
    ).toBeNull();
  });
});

describe("isPublicAddress", () => {
  it.each([
    "1.1.1.1",
    "100.63.255.255",
    "100.128.0.0",
    "172.15.255.255",
    "172.32.0.0",
    "192.0.1.0",
    "198.20.0.0",
    "223.255.255.255",
    "168.63.129.17",
    "2000::1",
    "2001:4860:4860::8888",
    "2606:4700:4700:0000:0000:0000:0000:1111",
    "::ffff:8.8.8.8",
    "64:ff9b::8.8.8.8",
    "64:ff9b::808:8",
  ])("accepts %s", (address) => {
    expect(isPublicAddress(address)).toBe(true);
  });

  it.each([
    "0.255.255.255",
    "100.127.255.255",
    "127.255.255.255",
    "192.0.0.8",
    "192.0.2.1",
    "192.88.99.1",
    "198.18.0.0",
    "198.51.100.7",
    "203.0.113.9",
    "224.0.0.1",
    "240.0.0.1",
    "::ffff:192.168.1.1",
    "::FFFF:10.0.0.1",
    "64:ff9b::127.0.0.1",
    "1fff:ffff::1",
    "4000::1",
    "fe80::1%eth0",
    "example.com",
    "",
  ])("rejects %j", (address) => {
    expect(isPublicAddress(address)).toBe(false);
  });
});
