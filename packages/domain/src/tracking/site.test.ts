import { expect, it } from "vitest";
import { isOnSite } from "./site.ts";

it.each([
  ["https://example.com", "https://example.com/"],
  ["https://www.example.com", "https://example.com/pricing?a=b"],
  ["https://example.com", "https://www.example.com"],
  ["https://a.b.example.co.uk", "https://example.co.uk"],
  ["http://example.com:8080", "https://example.com"],
  ["https://EXAMPLE.com", "https://example.com"],
  ["http://localhost:5173", "http://localhost:3000/shop"],
  ["http://127.0.0.1:5173", "http://127.0.0.1"],
  ["http://[::1]:5173", "http://[::1]:3000"],
  ["https://jane.github.io", "https://jane.github.io/shop"],
  ["https://xn--bcher-kva.example", "https://bücher.example"],
])("%s is on the site of %s", (origin, web_url) => {
  expect(isOnSite(origin, web_url)).toBe(true);
});

it.each([
  ["https://example.org", "https://example.com"],
  ["https://example.com.evil.example", "https://example.com"],
  ["https://evilexample.com", "https://example.com"],
  ["https://other.co.uk", "https://example.co.uk"],
  // Each of these belongs to somebody else.
  ["https://john.github.io", "https://jane.github.io"],
  ["https://github.io", "https://jane.github.io"],
  ["http://127.0.0.2", "http://127.0.0.1"],
  ["http://localhost", "http://127.0.0.1"],
  ["null", "https://example.com"],
  ["", "https://example.com"],
  ["file://", "https://example.com"],
  ["chrome-extension://example.com", "https://example.com"],
  ["https://", "https://example.com"],
  ["*", "https://example.com"],
  ["https://example.com", "nonsense"],
])("%s is not on the site of %s", (origin, web_url) => {
  expect(isOnSite(origin, web_url)).toBe(false);
});
