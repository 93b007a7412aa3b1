/* The Helm chart, rendered, and the commands of its containers. */
import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { createTestDatabase } from "@findersfee/database/testing";
import { freePort } from "@findersfee/database/testing/free-port";
import { beforeAll, expect, it, onTestFinished } from "vitest";
import { parseAllDocuments } from "yaml";
import { CommandLine } from "../command-line.ts";
import { DEPLOY, isInstalled, readImage } from "./files.ts";
import { renderChart } from "./render-chart.ts";

const CHART = join(DEPLOY, "chart");

interface Container {
  image: string;
  args: string[];
  env: { name: string; value: string }[];
  securityContext: object;
  volumeMounts: { name: string; mountPath: string }[];
  ports?: { name: string; containerPort: number }[];
  startupProbe?: Probe;
  livenessProbe?: Probe;
  readinessProbe?: Probe;
}
interface Probe {
  httpGet: { path: string; port: string };
  timeoutSeconds: number;
}
interface Workload {
  kind: string;
  metadata: { name: string; annotations?: Record<string, string> };
  spec: {
    selector: { matchLabels: Record<string, string> };
    template: {
      metadata: { labels: Record<string, string> };
      spec: {
        securityContext: { runAsNonRoot: boolean; runAsUser: number };
        terminationGracePeriodSeconds: number;
        volumes: { name: string }[];
        containers: Container[];
      };
    };
  };
}

let resources: Record<string, unknown>[];

beforeAll(async () => {
  resources = await renderChart(CHART, { release: "partners", values: { env: { LOG_LEVEL: "warn" } } });
});

const workload = (name: string, list = resources): Workload => {
  const found = (list as unknown as Workload[]).find(
    ({ kind, metadata }) => ["Deployment", "Job"].includes(kind) && metadata.name === `partners-${name}`,
  );
  if (found === undefined) throw new Error(`the chart has no ${name}`);
  return found;
};

function containerOf(name: string): Container {
  const [container] = workload(name).spec.template.spec.containers;
  if (container === undefined) throw new Error(`${name} has no container`);
  return container;
}

const variable = (name: string, key: string): string | undefined =>
  containerOf(name).env.find((entry) => entry.name === key)?.value;

it("has each resource once, and an ingress only if wanted", async () => {
  const names = (list: object[]) =>
    list.map((one) => `${(one as Workload).kind} ${(one as Workload).metadata.name}`);
  const usual = [
    "Deployment partners-api",
    "Deployment partners-worker",
    "Job partners-migrate",
    "PodDisruptionBudget partners-api",
    "Service partners-api",
  ];
  expect(names(resources).sort()).toEqual(usual);
  const ingress = { enabled: true, className: "nginx", host: "partners.example.com", tlsSecret: "tls" };
  const more = await renderChart(CHART, { release: "partners", values: { ingress } });
  expect(names(more).sort()).toEqual([...usual, "Ingress partners-api"].sort());
});

it("migrates before an upgrade", () => {
  expect(workload("migrate").metadata.annotations).toMatchObject({
    "helm.sh/hook": "pre-install,pre-upgrade",
  });
});

it.each(["api", "worker"])("%s is asked to stop with enough time, and its selector finds it", (name) => {
  const { selector, template } = workload(name).spec;
  expect(template.metadata.labels).toMatchObject(selector.matchLabels);
  const delay = Number(variable(name, "SHUTDOWN_DELAY_SECONDS"));
  expect(delay).toBeGreaterThan(0);
  expect(template.spec.terminationGracePeriodSeconds).toBeGreaterThan(delay + 10);
});

it("probes paths that do not depend on the database for life, and /readyz for requests", () => {
  const { startupProbe, livenessProbe, readinessProbe } = containerOf("api");
  expect([startupProbe, livenessProbe].map((probe) => probe?.httpGet.path)).toEqual(["/healthz", "/healthz"]);
  expect(readinessProbe?.httpGet.path).toBe("/readyz?exclude=database");
  // It answers within three seconds.
  expect(readinessProbe?.timeoutSeconds).toBeGreaterThan(3);
  expect(containerOf("worker").livenessProbe?.httpGet.path).toBe("/healthz");
});

it.each(["api", "worker", "migrate"])(
  "%s runs as the image's user, and can write to a volume alone",
  async (name) => {
    const { uid, environment } = await readImage();
    expect(workload(name).spec.template.spec.securityContext).toMatchObject({
      runAsNonRoot: true,
      runAsUser: uid,
    });
    expect(containerOf(name).securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ["ALL"] },
    });
    const ports = containerOf(name).ports?.map(({ containerPort }) => String(containerPort)) ?? [];
    for (const port of ports) expect([environment.PORT, environment.METRICS_PORT]).toContain(port);
  },
);

it.each(["api", "worker"])("%s keeps its memory of the history in the pod, or in a claim", async (name) => {
  const { owned_folder } = await readImage();
  expect(variable(name, "CONTINUITY_DIR")).toBe(owned_folder);
  expect(containerOf(name).volumeMounts).toContainEqual({ name: "continuity", mountPath: owned_folder });
  const volumes = (list: typeof resources) => workload(name, list).spec.template.spec.volumes;
  expect(volumes(resources)).toContainEqual({ name: "continuity", emptyDir: { sizeLimit: "512Mi" } });
  const values = { continuity: { existingClaim: "memory" } };
  const claimed = await renderChart(CHART, { release: "partners", values });
  expect(volumes(claimed)).toContainEqual({
    name: "continuity",
    persistentVolumeClaim: { claimName: "memory" },
  });
});

it("runs the commands of its containers", async () => {
  const test = await createTestDatabase({ migrated: false });
  onTestFinished(() => test.close());
  const folder = await mkdtemp(join(tmpdir(), "findersfee-chart-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  await writeFile(join(folder, "SECRETS_KEY"), Buffer.alloc(32, 7).toString("base64"));
  const port = String(await freePort());
  const run = (name: string): CommandLine => {
    const { args, env } = containerOf(name);
    const variables = Object.fromEntries(env.map((entry) => [entry.name, entry.value]));
    const own = {
      DATABASE_URL: test.url,
      PORT: port,
      SECRETS_KEY_FILE: join(folder, "SECRETS_KEY"),
      CONTINUITY_DIR: join(folder, "continuity"),
    };
    return new CommandLine(args, { ...variables, ...own, SHUTDOWN_DELAY_SECONDS: "0" });
  };
  const [api, worker] = [run("api"), run("worker")];
  expect(await run("migrate").outcome()).toMatchObject({ code: 0 });
  await api.says(/served at/);
  await worker.says(/The worker is running/);
  for (const { httpGet } of [containerOf("api").livenessProbe, containerOf("api").readinessProbe].flatMap(
    (probe) => probe ?? [],
  ))
    expect((await fetch(`http://127.0.0.1:${port}${httpGet.path}`)).status).toBe(200);
  expect(await Promise.all([api.end("SIGTERM"), worker.end("SIGTERM")])).toMatchObject([
    { code: 0 },
    { code: 0 },
  ]);
});

const has_helm = isInstalled("helm");

it.skipIf(!has_helm)(`renders the same with Helm${has_helm ? "" : ": skipped without helm"}`, async () => {
  const run = promisify(execFile);
  await run("helm", ["lint", "--strict", CHART]);
  const { stdout } = await run("helm", ["template", "partners", CHART, "--set", "env.LOG_LEVEL=warn"]);
  const rendered = parseAllDocuments(stdout).map((document) => document.toJS());
  const byName = (list: unknown[]) =>
    new Map((list as Workload[]).map((one) => [`${one.kind} ${one.metadata.name}`, one]));
  expect(byName(rendered.filter((one) => one !== null))).toEqual(byName(resources));
});
