/* The configurations of reverse proxies in docs/tracking.md, as written but for addresses. */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { eventually } from "@findersfee/database/testing/eventually";
import { freePort } from "@findersfee/database/testing/free-port";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { codeBlocksOf } from "../openapi/documents.ts";
import { startTestService, type TestService } from "../test-service.ts";
import { BROWSER, createTrackedProgram, type TrackedProgram } from "../tracking-program.ts";

const SERVICE = "https://findersfee.example.com";
const HOST = "findersfee.example.com";
const ORIGIN = "https://acme.com";

let service: TestService;
let program: TrackedProgram;
let visitors = 0;

beforeAll(async () => {
  service = await startTestService({ public_url: SERVICE, trust_proxy: ["127.0.0.1", "::1"] });
});
afterAll(() => service.close());

const block = (name: string): string => {
  const found = codeBlocksOf("docs/tracking.md").find(({ remark }) => remark === name);
  if (found === undefined) throw new Error(`docs/tracking.md has no block ${name}`);
  return found.code;
};

async function folder(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), "findersfee-proxy-"));
  onTestFinished(() => rm(path, { recursive: true, force: true }));
  return path;
}

function run(command: string, parameters: string[], home: string): void {
  const child: ChildProcess = spawn(command, parameters, {
    stdio: "ignore",
    env: { PATH: process.env.PATH ?? "", HOME: home, XDG_DATA_HOME: home, XDG_CONFIG_HOME: home },
  });
  onTestFinished(async () => {
    if (child.exitCode !== null) return;
    child.kill("SIGTERM");
    await new Promise((resolve) => child.once("exit", resolve));
  });
}

const isInstalled = (command: string, option: string): boolean =>
  spawnSync(command, [option], { stdio: "ignore" }).error === undefined;

type Send = (path: string, init?: RequestInit) => Promise<Response>;

/** Tracks through a proxy as a page of the site does. */
async function tracks(send: Send): Promise<void> {
  program = await createTrackedProgram(service, { campaign: { website_url: `${ORIGIN}/pricing` } });
  const key = program.organization.publishable_key;
  visitors += 1;
  const user_agent = `${BROWSER} x/${visitors}`;
  const script = await send("/ff/tracker.js");
  expect([script.status, (await script.text()).startsWith("(()=>{")]).toEqual([200, true]);
  // A stranger who forges addresses is one visitor.
  const ids = new Set<string>();
  for (const forged of ["203.0.113.1", "203.0.113.2"]) {
    const answer = await send("/ff/track/click", {
      method: "POST",
      headers: {
        "content-type": "text/plain;charset=UTF-8",
        "user-agent": user_agent,
        origin: ORIGIN,
        "sec-fetch-site": "same-origin",
        "x-forwarded-for": forged,
        cookie: "session=secret",
      },
      body: JSON.stringify({ key, code: "jane", url: `${ORIGIN}/pricing` }),
    });
    const { data } = (await answer.json()) as { data: { click_id: string; cookie: boolean } };
    expect([answer.status, data.cookie]).toEqual([200, true]);
    expect(answer.headers.get("set-cookie")).toContain(`findersfee_click=${data.click_id}; Path=/;`);
    expect(answer.headers.get("set-cookie")).toContain("Domain=acme.com; Secure");
    ids.add(data.click_id);
  }
  expect(ids.size).toBe(2);
  await expect
    .poll(async () => {
      const { data } = await program.organization.trpc.affiliates.list.query({});
      return data[0]?.clicks;
    })
    .toBe(1);
  const link = await send(`/ff/r/jane?key=${key}&utm_source=x`, {
    redirect: "manual",
    headers: { "user-agent": user_agent },
  });
  const location = new URL(link.headers.get("location") ?? "");
  expect([link.status, location.origin, location.searchParams.get("utm_source")]).toEqual([302, ORIGIN, "x"]);
}

const throughPort =
  (port: number): Send =>
  (path, init) =>
    fetch(`http://127.0.0.1:${port}${path}`, init);

describe("a reverse proxy of the site", () => {
  const has_caddy = isInstalled("caddy", "version");
  it.skipIf(!has_caddy)(`is Caddy${has_caddy ? "" : " (skipped: caddy is not installed)"}`, async () => {
    const [port, home] = [await freePort(), await folder()];
    const text = block("Caddyfile")
      .replace("acme.com {", `http://127.0.0.1:${port} {`)
      .replace(`reverse_proxy ${SERVICE}`, `reverse_proxy ${service.url}`);
    await writeFile(join(home, "Caddyfile"), `{\n  admin off\n}\n${text}`);
    run("caddy", ["run", "--config", join(home, "Caddyfile"), "--adapter", "caddyfile"], home);
    const send = throughPort(port);
    await eventually(async () => expect((await send("/ff/tracker.js")).status).toBe(200));
    await tracks(send);
  });

  const has_nginx = isInstalled("nginx", "-v");
  it.skipIf(!has_nginx)(`is nginx${has_nginx ? "" : " (skipped: nginx is not installed)"}`, async () => {
    const [port, home] = [await freePort(), await folder()];
    const text = block("nginx.conf").replace(`proxy_pass ${SERVICE}/;`, `proxy_pass ${service.url}/;`);
    const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"];
    await writeFile(
      join(home, "nginx.conf"),
      `daemon off;
pid ${home}/pid;
error_log ${home}/error.log;
events {}
http {
  access_log off;
${temporary.map((name) => `  ${name}_temp_path ${home}/${name};`).join("\n")}
  server {
    listen 127.0.0.1:${port};
${text}
  }
}
`,
    );
    run("nginx", ["-p", home, "-c", join(home, "nginx.conf"), "-e", join(home, "error.log")], home);
    const send = throughPort(port);
    await eventually(async () => expect((await send("/ff/tracker.js")).status).toBe(200));
    await tracks(send);
  });

  it("is a Cloudflare Worker", async () => {
    // The service answers at its own host names and at loopback ones.
    const code = block("worker.mjs").replace(SERVICE, service.url);
    const { default: worker } = (await import(
      /* @vite-ignore */ `data:text/javascript,${encodeURIComponent(code)}`
    )) as { default: { fetch(request: Request): Promise<Response> } };
    // Cloudflare sets the visitor's address, and overrides the one that a stranger sends.
    const send: Send = (path, init) => {
      const request = new Request(`${ORIGIN}${path}`, init);
      const headers = new Headers(request.headers);
      headers.set("cf-connecting-ip", "198.51.100.7");
      return worker.fetch(new Request(request, { headers }));
    };
    await tracks(send);
    const [visit] = await service.database`
      select count(distinct visitor_hash)::int as visitors from clicks
      where organization_id = ${program.organization.organization_id}`;
    expect(visit).toEqual({ visitors: 1 });
  });

  it("is a Next.js rewrite, in the shape that Next.js takes", async () => {
    const { default: config } = (await import(
      /* @vite-ignore */ `data:text/javascript,${encodeURIComponent(block("next.config.mjs"))}`
    )) as { default: { rewrites(): Promise<{ source: string; destination: string }[]> } };
    expect(Object.keys(config)).toEqual(["rewrites"]);
    const [rewrite, ...others] = await config.rewrites();
    expect(others).toEqual([]);
    expect(Object.keys(rewrite ?? {}).sort()).toEqual(["destination", "source"]);
    // As path-to-regexp reads `:path*`.
    const [before, after] = (rewrite?.source ?? "").split(":path*");
    const rewritten = (path: string) => {
      if (after !== "" || before === undefined || !path.startsWith(before)) return null;
      return (rewrite?.destination ?? "").replace(":path*", path.slice(before.length));
    };
    expect(rewritten("/ff/tracker.js")).toBe(`${SERVICE}/tracker.js`);
    expect(rewritten("/ff/track/click")).toBe(`${SERVICE}/track/click`);
    expect(rewritten("/pricing")).toBeNull();
    // Next.js appends the visitor's address, sends the host of the destination, and passes the answer's cookies on.
    await tracks(async (path, init) => {
      const target = rewritten(path)?.replace(SERVICE, service.url);
      if (target === undefined) throw new Error(`${path} is not rewritten`);
      const headers = new Headers(init?.headers);
      const sent = headers.get("x-forwarded-for");
      headers.set("x-forwarded-for", sent === null ? "198.51.100.7" : `${sent}, 198.51.100.7`);
      return await fetch(target, { ...init, headers });
    });
  });

  it("has the Host that the service knows", () => {
    expect(block("Caddyfile")).toContain(`header_up Host ${HOST}\n`);
    expect(block("nginx.conf")).toContain(`proxy_set_header Host ${HOST};\n`);
  });
});

describe("without trust in the proxy", () => {
  it("all visitors have its address, and nobody can forge another one", async () => {
    const strict = await startTestService({ public_url: SERVICE });
    try {
      const { organization } = await createTrackedProgram(strict, { campaign: { website_url: ORIGIN } });
      for (const forged of ["203.0.113.1", "203.0.113.2", "198.51.100.7"]) {
        const answer = await fetch(`${strict.url}/track/click`, {
          method: "POST",
          headers: {
            "user-agent": BROWSER,
            "content-type": "text/plain",
            "x-forwarded-for": forged,
            origin: ORIGIN,
          },
          body: JSON.stringify({ key: organization.publishable_key, code: "jane" }),
        });
        expect(answer.status).toBe(200);
      }
      await expect
        .poll(async () => (await organization.trpc.affiliates.list.query({})).data[0]?.clicks)
        .toBe(1);
    } finally {
      await strict.close();
    }
  });
});
