import fc from "fast-check";
import { expect, it } from "vitest";
import { pageLink, websiteOf } from "./page-link.ts";

const website_url = "https://www.acme.example/?lang=en";
const LINK = { url: "https://www.acme.example/?via=jane&lang=en", code: "jane", website_url };
const linkTo = (page: string, sub_id = "") => pageLink(LINK, { page, sub_id });

it.each([
  ["", "https://www.acme.example/?via=jane&lang=en"],
  ["https://acme.example/pricing", "https://acme.example/pricing?via=jane"],
  ["acme.example/pricing", "https://acme.example/pricing?via=jane"],
  ["ACME.example", "https://acme.example/?via=jane"],
  ["/pricing", "https://www.acme.example/pricing?via=jane"],
  ["pricing", "https://www.acme.example/pricing?via=jane"],
  ["?plan=pro#faq", "https://www.acme.example/?via=jane&plan=pro#faq"],
  [
    "https://shop.acme.example/a%20b?q=a+b&flag&x=%2F#top",
    "https://shop.acme.example/a%20b?via=jane&q=a+b&flag&x=%2F#top",
  ],
  ["https://acme.example/?via=joe&Via=max&sub=x&ff_click=1&a=1", "https://acme.example/?via=jane&a=1"],
  ["https://joe:secret@acme.example/", "https://acme.example/?via=jane"],
  ["https://acme.example:8443/", "https://acme.example:8443/?via=jane"],
  ["//acme.example/pricing", "https://acme.example/pricing?via=jane"],
])("links to %s", (page, url) => {
  expect(linkTo(page)).toEqual({ url, problem: null });
});

it.each([
  ["https://globex.example/pricing", "host"],
  ["globex.example", "host"],
  ["https://acme.example@globex.example/", "host"],
  ["https://notacme.example/", "host"],
  ["https://acme.example.globex.example/", "host"],
  ["//globex.example", "host"],
  ["javascript:alert(1)", "page"],
  ["javascript://acme.example/%0aalert(1)", "page"],
  ["ftp://acme.example/", "page"],
  ["https://", "page"],
  ["not a url", "page"],
  ["/our pricing", "page"],
  ["acme.example/our\tpricing", "page"],
])("refuses %s", (page, problem) => {
  expect(linkTo(page)).toEqual({ url: null, problem });
});

it("adds a sub-id", () => {
  expect(linkTo("/pricing", "newsletter-11.a_b")).toEqual({
    url: "https://www.acme.example/pricing?via=jane&sub=newsletter-11.a_b",
    problem: null,
  });
  expect(linkTo("", "a b")).toEqual({ url: null, problem: "sub_id" });
  expect(linkTo("", "x".repeat(65))).toEqual({ url: null, problem: "sub_id" });
});

it("adds a sub-id to a link at the organization's own host name, and leads to other pages of the website", () => {
  const own = { ...LINK, url: "https://go.acme.example/jane" };
  const links = [
    ["", "", "https://go.acme.example/jane"],
    ["", "newsletter", "https://go.acme.example/jane?sub=newsletter"],
    ["/pricing", "", "https://www.acme.example/pricing?via=jane"],
  ] as const;
  for (const [page, sub_id, url] of links)
    expect(pageLink(own, { page, sub_id })).toEqual({ url, problem: null });
  const elsewhere = { ...LINK, url: "https://acme-links.example/jane" };
  expect(pageLink(elsewhere, { page: "", sub_id: "a" }).url).toBe("https://acme-links.example/jane?sub=a");
});

it("never leaves the website, whatever is typed", () => {
  fc.assert(
    fc.property(
      fc
        .array(
          fc.oneof(
            fc.string(),
            fc.constantFrom(
              "https:",
              "/",
              "//",
              "@",
              "\\",
              "acme.example",
              "globex.example",
              "?",
              "#",
              "via=joe",
            ),
          ),
        )
        .map((parts) => parts.join("")),
      (page) => {
        const { url } = linkTo(page);
        if (url === null) return;
        expect(new URL(url).hostname).toMatch(/^(.+\.)?acme\.example$/);
        expect(new URL(url).searchParams.get("via")).toBe("jane");
      },
    ),
  );
});

it("names the website", () => {
  expect(websiteOf(LINK)).toBe("acme.example");
});
