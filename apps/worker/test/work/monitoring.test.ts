import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";

const ROOT = join(import.meta.dirname, "../../../..");
const MONITORING = join(ROOT, "deploy/monitoring");
const PROMTOOL = spawnSync("promtool", ["--version"]).status === 0;

const alerts = readFileSync(join(MONITORING, "alerts.yml"), "utf8");
const dashboard = readFileSync(join(MONITORING, "dashboard.json"), "utf8");
const runbook = readFileSync(join(ROOT, "docs/runbook.md"), "utf8");

/** Metrics of the library for Node, and of Prometheus itself. */
const FOREIGN = ["nodejs_eventloop_lag_p99_seconds", "process_resident_memory_bytes"];

const SOURCES = ["apps/api/src", "apps/worker/src", "packages/telemetry/src"];

/** The metrics that sources define, each as often as it is defined. */
function definitions(): string[] {
  return SOURCES.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" })
      .filter((file) => file.endsWith(".ts"))
      .flatMap((file) => [
        ...readFileSync(join(ROOT, folder, file), "utf8").matchAll(/\bname: "(findersfee_[a-z0-9_]+)"/g),
      ])
      .map(([, name = ""]) => name),
  );
}

const definedMetrics = () => new Set(definitions());

/** The metrics that a text names, without the endings of histograms. */
function namedMetrics(text: string): string[] {
  const names = text.match(/\b(findersfee|nodejs|process)_[a-z0-9_]+\b/g) ?? [];
  return [...new Set(names.map((name) => name.replace(/_(bucket|sum|count)$/, "")))];
}

it.each([
  ["alerts", alerts],
  ["dashboard", dashboard],
  ["runbook", runbook],
  ["self-hosting", readFileSync(join(ROOT, "docs/self-hosting.md"), "utf8")],
])("names metrics that exist: %s", (_name, text) => {
  const defined = definedMetrics();
  const named = namedMetrics(text);
  expect(named.length).toBeGreaterThan(3);
  expect(named.filter((name) => !defined.has(name) && !FOREIGN.includes(name))).toEqual([]);
});

it("has one definition of each metric, because an API and a worker can share a process", () => {
  const all = definitions();
  expect(all.filter((name, index) => all.indexOf(name) !== index)).toEqual([]);
});

it("describes every metric in the documentation", () => {
  const documented = namedMetrics(readFileSync(join(ROOT, "docs/self-hosting.md"), "utf8"));
  expect([...definedMetrics()].filter((name) => !documented.includes(name))).toEqual([]);
});

it("has a section of the runbook for each alert, and links to it", () => {
  const names = [...alerts.matchAll(/^ {6}- alert: (\w+)$/gm)].map(([, name = ""]) => name);
  const links = [...alerts.matchAll(/^ {10}runbook_url: "\S+\/docs\/runbook#(\w+)"$/gm)].map(([, id]) => id);
  const sections = [...runbook.matchAll(/^## (\w+)$/gm)].map(([, name]) => name);
  expect(names.length).toBeGreaterThan(20);
  expect(sections).toEqual(names);
  expect(links).toEqual(names.map((name) => name.toLowerCase()));
  for (const severity of alerts.matchAll(/severity: (\w+)/g)) expect(severity[1]).toMatch(/^(page|ticket)$/);
});

it("shows panels that Grafana can import", () => {
  const { panels, templating, schemaVersion } = JSON.parse(dashboard) as {
    panels: { id: number; title: string; targets: { expr: string }[]; gridPos: Record<string, number> }[];
    templating: { list: { type: string; query: string }[] };
    schemaVersion: number;
  };
  expect(schemaVersion).toBe(39);
  expect(templating.list).toMatchObject([{ type: "datasource", query: "prometheus" }]);
  expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
  expect(new Set(panels.map(({ gridPos: { x, y } }) => `${x} ${y}`)).size).toBe(panels.length);
  for (const { title, targets } of panels) {
    expect(title).not.toBe("");
    expect(targets.length).toBeGreaterThan(0);
  }
});

it.runIf(PROMTOOL)("has rules that Prometheus accepts, and that fire when they should", () => {
  for (const command of [
    ["check", "rules", "alerts.yml"],
    ["test", "rules", "alerts.test.yml"],
  ]) {
    const { status, stdout, stderr } = spawnSync("promtool", command, { cwd: MONITORING, encoding: "utf8" });
    expect(`${stdout}${stderr}`).toContain("SUCCESS");
    expect(status).toBe(0);
  }
  const rules = JSON.parse(dashboard).panels.flatMap(
    ({ targets }: { targets: { expr: string }[] }, panel: number) =>
      targets.map(
        ({ expr }, index) => `      - { record: "panel:${panel}:${index}", expr: ${JSON.stringify(expr)} }`,
      ),
  );
  const text = ["groups:", "  - name: panels", "    rules:", ...rules, ""].join("\n");
  const folder = mkdtempSync(join(tmpdir(), "findersfee-panels-"));
  writeFileSync(join(folder, "panels.yml"), text);
  const { status, stdout, stderr } = spawnSync("promtool", ["check", "rules", "panels.yml"], {
    cwd: folder,
    encoding: "utf8",
  });
  rmSync(folder, { recursive: true });
  expect(`${stdout}${stderr}`).toContain("SUCCESS");
  expect(status).toBe(0);
});
