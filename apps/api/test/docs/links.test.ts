import { existsSync } from "node:fs";
import { join, posix } from "node:path";
import { paymentOutcomes } from "@findersfee/contract/attribution/payment-decisions";
import { ERRORS } from "@findersfee/contract/errors";
import { eventTypes } from "@findersfee/contract/webhooks/events";
import { netAmounts } from "@findersfee/domain/attribution/facts/refunds";
import { toMinor, toRate } from "@findersfee/domain/money";
import { describe, expect, it } from "vitest";
import { renderMarkdown } from "../../src/docs/markdown.ts";
import { pages } from "../../src/docs/pages.ts";
import { documents, linksOf, ROOT, readDocument, tableBelow } from "../openapi/documents.ts";

function anchorsOf(source: string): string[] {
  return renderMarkdown(readDocument(source), source).sections.map(({ anchor }) => anchor);
}

describe.each(documents)("%s", (source) => {
  it("links to files and headings that exist", () => {
    for (const href of linksOf(source).filter((link) => !URL.canParse(link))) {
      const [path = "", anchor = ""] = href.split("#");
      const target = path === "" ? source : posix.join(posix.dirname(source), path);
      expect(existsSync(join(ROOT, target)), `${source}: ${href}`).toBe(true);
      if (target.endsWith(".md")) expect(anchorsOf(target), `${source}: ${href}`).toContain(anchor);
    }
  });

  it("links by https, and never to localhost", () => {
    for (const href of linksOf(source).filter((link) => URL.canParse(link))) {
      expect(href).toMatch(/^https:\/\/[\w.-]+\.\w+/);
    }
  });
});

/** Paths in the repository. Those with patterns and placeholders name no single file. */
const REPOSITORY_PATH = /`((?:apps|attack|bench|docs|examples|packages|scripts)\/[\w./-]+)`/g;

describe.each(documents.filter((source) => /contributing/i.test(source)))("%s", (source) => {
  it("names files and folders that exist", () => {
    const paths = [...readDocument(source).matchAll(REPOSITORY_PATH)].map(([, path = ""]) => path);
    expect(paths.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
  });
});

describe("the pages", () => {
  it("are all documents for consumers", () => {
    const expected = documents.filter((path) => /^docs\/[^/]+$/.test(path) && path !== "docs/plan.md");
    expect(
      pages
        .map(({ source }) => source)
        .filter((path) => path.startsWith("docs/"))
        .sort(),
    ).toEqual(expected.sort());
  });

  it("link only to pages", () => {
    for (const { source } of pages) {
      const { html } = renderMarkdown(readDocument(source), source);
      const hrefs = [...html.matchAll(/href="([^"]*)"/g)].map(([, href = ""]) => href);
      for (const href of hrefs.filter((link) => !URL.canParse(link))) {
        const [path = ""] = href.split("#");
        const known = ["", "./", ...pages.map(({ slug }) => slug)];
        expect(known, `${source}: ${href}`).toContain(path);
      }
    }
  });

  it("start with their title", () => {
    for (const { source, title } of pages) {
      const [first] = renderMarkdown(readDocument(source), source).sections;
      expect(first).toMatchObject({ level: 1, anchor: "" });
      // Code hosts and npm show these files on their own, so they name the product.
      if (!source.endsWith("/README.md")) expect(first?.heading).toBe(title);
    }
  });
});

describe("docs/errors.md", () => {
  it("lists exactly the registry's codes with their status", () => {
    const text = readDocument("docs/errors.md");
    const found = [...text.matchAll(/^### `(\w+)`\n\n\*\*(\d{3})\.\*\* \S/gm)];
    const described = Object.fromEntries(found.map(([, code = "", status]) => [code, Number(status)]));
    const registered = Object.entries(ERRORS).map(([code, { status }]) => [code, status]);
    expect(described).toEqual(Object.fromEntries(registered));
    expect(found.length).toBe(registered.length);
  });
});

describe("docs/concepts.md", () => {
  it("rounds its examples like the service", () => {
    const rows = tableBelow("docs/concepts.md", "payment");
    expect(rows.length).toBeGreaterThan(4);
    for (const [payment = "", rate = "", exactly, commission = ""] of rows) {
      const [amount, currency = ""] = payment.split(" ");
      const minor = toMinor(Number(amount), currency);
      const ten_thousandths = toRate(Number(rate.replace(" %", "")));
      if (minor === null || ten_thousandths === null)
        throw new Error(`cannot parse the example ${payment} at ${rate}`);
      // Half away from zero; all amounts are positive.
      const rounded = (minor * ten_thousandths + 500_000n) / 1_000_000n;
      expect(rounded, payment).toBe(
        toMinor(Number(commission.split(" ")[0]), commission.split(" ")[1] ?? ""),
      );
      expect(Number(exactly)).toBeCloseTo((Number(amount) * Number(rate.replace(" %", ""))) / 100, 9);
    }
  });
});

describe("docs/concepts.md on refunds and decisions", () => {
  it("computes net commissions like the service", () => {
    const rows = tableBelow("docs/concepts.md", "paid ");
    expect(rows.length).toBeGreaterThan(3);
    const minor = (text = "") => toMinor(Number(text.split(" ")[0]), text.split(" ")[1] ?? "") ?? -1n;
    for (const [paid, earned, taken_back, left = ""] of rows) {
      const of_it = { paid_minor: minor(paid), reversed_minor: minor(taken_back) };
      const rest = netAmounts({ revenue_minor: minor(paid), commission_minor: minor(earned) }, of_it);
      expect(rest?.commission_minor ?? null, left).toBe(left.startsWith("nothing") ? null : minor(left));
    }
  });

  it("lists exactly the outcomes of a payment", () => {
    const listed = tableBelow("docs/concepts.md", "`outcome`").map(([name = ""]) => name.replaceAll("`", ""));
    expect(listed).toEqual(Object.keys(paymentOutcomes));
  });
});

describe("docs/webhooks.md", () => {
  it("lists exactly the event types", () => {
    const listed = tableBelow("docs/webhooks.md", "type").map(([type = ""]) => type.replaceAll("`", ""));
    expect(listed).toEqual([...eventTypes]);
  });
});

describe("docs/self-hosting.md", () => {
  it("lists every setting", () => {
    const listed = tableBelow("docs/self-hosting.md", "variable").map(([name = ""]) =>
      name.replaceAll("`", ""),
    );
    const schema = readDocument("apps/cli/src/config.ts").split("z.object({")[1] ?? "";
    const settings = [...schema.matchAll(/^ {2}([A-Z_]+):/gm)].map(([, name]) => name);
    expect(settings.length).toBeGreaterThan(15);
    expect(listed.sort()).toEqual(settings.sort());
  });
});
