/* The configurations of load balancers in docs/self-hosting.md, as written but for addresses and certificates. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { codeBlocksOf } from "@findersfee/api/testing/openapi/documents";
import { eventually } from "@findersfee/database/testing/eventually";
import { freePort } from "@findersfee/database/testing/free-port";
import { expect, it, onTestFinished } from "vitest";
import { Shell } from "../packaging/shell.ts";
import { isInstalled, outcomeOf } from "./files.ts";

function block(remark: string): string {
  const found = codeBlocksOf("docs/self-hosting.md").find((candidate) => candidate.remark === remark);
  if (found === undefined) throw new Error(`docs/self-hosting.md has no block ${remark}`);
  return found.code;
}

/** An API process, as far as a load balancer sees it. */
interface Process {
  name: string;
  port: number;
  /** Without a database, `/readyz` answers 503, and with `exclude=database` 200. */
  has_database: boolean;
  stops: boolean;
  end(): void;
}

async function startProcess(name: string): Promise<Process> {
  const end = () => {
    server.closeAllConnections();
    server.close();
  };
  const state: Process = { name, port: 0, has_database: true, stops: false, end };
  const server = createServer(({ url }, response) => {
    const is_ready = !state.stops && (state.has_database || url === "/readyz?exclude=database");
    if (url?.startsWith("/readyz")) response.writeHead(is_ready ? 200 : 503).end();
    else if (state.has_database) response.end(name);
    else response.writeHead(503, { "retry-after": "1", connection: "close" }).end("no database");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(end);
  state.port = (server.address() as AddressInfo).port;
  return state;
}

async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "findersfee-balancer-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  return folder;
}

type Ask = () => Promise<ReadonlySet<string>>;

/** Starts a load balancer on a port. Returns how it answers several requests at once. */
function start(command: string, port: number): Ask {
  const shell = new Shell(`exec ${command}`, tmpdir(), { PATH: process.env.PATH ?? "" });
  onTestFinished(() => shell.interrupt());
  const ask = async () => {
    const response = await fetch(`http://127.0.0.1:${port}/v1/affiliates`);
    const text = response.status === 200 || response.status === 503 ? await response.text() : "";
    return `${response.status} ${response.headers.get("retry-after") ?? ""} ${text}`.trim();
  };
  return async () => new Set(await Promise.all(Array.from({ length: 8 }, ask)));
}

async function answers(ask: Ask, expected: readonly string[]): Promise<void> {
  await eventually(async () => expect(await ask()).toEqual(new Set(expected)));
}

/** A block of the page, with a port and the addresses of processes of this machine. */
const here = (remark: string, listen: [string, string], processes: readonly Process[]): string =>
  processes.reduce(
    (text, { port }, index) => text.replaceAll(`10.0.0.${index + 1}:3000`, `127.0.0.1:${port}`),
    block(remark).replace(...listen),
  );

const has_haproxy = isInstalled("haproxy");

it.skipIf(!has_haproxy)(
  `HAProxy asks for both, and passes on 503 in an outage${has_haproxy ? "" : ": skipped without haproxy"}`,
  async () => {
    const port = await freePort();
    const [a, b] = [await startProcess("a"), await startProcess("b")];
    const file = join(await temporaryFolder(), "haproxy.cfg");
    const listen = ["bind :443 ssl crt /etc/ssl/partners.pem", `bind 127.0.0.1:${port}`] as [string, string];
    await writeFile(file, here("haproxy.cfg", listen, [a, b]));
    expect(await outcomeOf(["haproxy", "-c", "-q", "-f", file])).toEqual({ code: 0, output: "" });
    const ask = start(`haproxy -db -f ${file}`, port);
    await answers(ask, ["200  a", "200  b"]);
    a.stops = true;
    await answers(ask, ["200  b"]);
    a.stops = false;
    a.has_database = false;
    await answers(ask, ["200  b"]);
    b.has_database = false;
    await answers(ask, ["503 1 no database"]);
    b.has_database = true;
    await answers(ask, ["200  b"]);
  },
);

const has_nginx = isInstalled("nginx");

it.skipIf(!has_nginx)(
  `nginx uses processes that are alive, and passes on 503 in an outage${has_nginx ? "" : ": skipped without nginx"}`,
  async () => {
    const [port, folder] = [await freePort(), await temporaryFolder()];
    const [a, b] = [await startProcess("a"), await startProcess("b")];
    const site = here("nginx.conf", ["listen 443 ssl;", `listen 127.0.0.1:${port};`], [a, b]).replace(
      /^ *ssl_certificate.*\n/gm,
      "",
    );
    const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
      .map((name) => `${name}_temp_path ${folder}/${name};`)
      .join("\n");
    const file = join(folder, "nginx.conf");
    await writeFile(
      file,
      `daemon off;\npid ${folder}/pid;\nevents {}\nhttp {\naccess_log off;\n${temporary}\n${site}}\n`,
    );
    const ask = start(`nginx -p ${folder} -c ${file} -e ${folder}/error.log`, port);
    await answers(ask, ["200  a", "200  b"]);
    a.end();
    expect(await ask()).toEqual(new Set(["200  b"]));
    b.has_database = false;
    expect(await ask()).toEqual(new Set(["503 1 no database"]));
    b.end();
    await eventually(async () =>
      expect([...(await ask())].every((one) => one.startsWith("503 1"))).toBe(true),
    );
  },
);
