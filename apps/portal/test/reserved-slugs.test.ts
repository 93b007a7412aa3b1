/* The names of organizations follow `/portal/`, as do the portal's own pages and the service's own paths. */
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { readFile } from "node:fs/promises";
import type { TestService } from "@findersfee/api/testing/test-service";
import { RESERVED_SLUGS } from "@findersfee/contract/portal/reserved-slugs";
import { afterAll, beforeAll, expect, it } from "vitest";
import { startPortal } from "./portal.ts";

interface Routed {
  addHook(name: "onRoute", hook: (route: { url: string }) => void): void;
}

const CREATED = "fastify.initialization";
const served: string[] = [];
const collect = (message: unknown) => {
  const { fastify } = message as { fastify: Routed };
  fastify.addHook("onRoute", ({ url }) => served.push(url));
};

let service: TestService;

beforeAll(async () => {
  subscribe(CREATED, collect);
  service = await startPortal();
  unsubscribe(CREATED, collect);
});

afterAll(() => service?.close());

/** The first part of each path, but for parameters. */
const firstParts = (paths: readonly string[]) =>
  paths.map((path) => path.split("/")[1] ?? "").filter((part) => /^[a-z0-9-]+$/.test(part));

it("reserves the first part of every address of the portal and of the service below it, and no other name", async () => {
  const screens = await readFile(`${import.meta.dirname}/../src/screens.ts`, "utf8");
  const pages = [...screens.matchAll(/path: "([^"]+)"/g)].map(([, path = ""]) => path);
  expect(pages.length).toBeGreaterThan(10);
  const below = served.filter((url) => url.startsWith("/portal/")).map((url) => url.slice("/portal".length));
  expect(below.length).toBeGreaterThan(20);
  const used = new Set([...firstParts(pages), ...firstParts(below)]);
  expect([...used].sort()).toEqual([...RESERVED_SLUGS].sort());
});
