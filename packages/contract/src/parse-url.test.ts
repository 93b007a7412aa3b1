import { expect, it } from "vitest";
import { parseUrl } from "./parse-url.ts";

it("parses a name with an umlaut, also once the engine has optimized the function", () => {
  let parsed = 0;
  for (let call = 0; call < 20_000; call++) {
    if (parseUrl("https://bücher.example")?.hostname === "xn--bcher-kva.example") parsed += 1;
  }
  expect(parsed).toBe(20_000);
});

it.each(["", "nonsense", "/path", "https://", "http://[::1"])("returns null for %j", (text) => {
  expect(parseUrl(text)).toBeNull();
});
