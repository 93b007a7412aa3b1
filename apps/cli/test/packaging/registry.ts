import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";
import { z } from "zod";

/** The body of `npm publish`: the manifests of versions, and the archives in base64 by their file names. */
const publication = z.object({
  name: z.string(),
  versions: z.record(z.string(), z.unknown()),
  "dist-tags": z.record(z.string(), z.string()),
  _attachments: z.record(z.string(), z.object({ data: z.base64() })),
});

type Published = Omit<z.output<typeof publication>, "_attachments">;

/** Where this machine gets all other packages from. */
const UPSTREAM = process.env.npm_config_registry ?? "https://registry.npmjs.org/";

/**
 * A registry on the loopback interface: `npm publish` publishes to it, and package managers install from it. It sends
 * requests for other packages to the usual registry.
 */
export class Registry {
  readonly #server: Server;
  readonly #packages = new Map<string, Published>();
  readonly #archives = new Map<string, Buffer>();

  private constructor() {
    this.#server = createServer((request, response) => {
      this.#answer(request, response).catch((error: unknown) => response.writeHead(500).end(String(error)));
    });
  }

  static async start(): Promise<Registry> {
    const registry = new Registry();
    registry.#server.listen(0, "127.0.0.1");
    await once(registry.#server, "listening");
    return registry;
  }

  /** `http://127.0.0.1:…/` */
  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/`;
  }

  /** The variables that make npm, pnpm and both generations of Yarn use it, for versions that were published just now. */
  get environment(): Record<string, string> {
    return {
      npm_config_registry: this.url,
      [`npm_config_${this.url.slice("http:".length)}:_authToken`]: "any",
      PNPM_CONFIG_REGISTRY: this.url,
      PNPM_CONFIG_MINIMUM_RELEASE_AGE: "0",
      YARN_NPM_REGISTRY_SERVER: this.url,
      YARN_UNSAFE_HTTP_WHITELIST: "127.0.0.1",
      YARN_NPM_MINIMAL_AGE_GATE: "0",
      YARN_ENABLE_TELEMETRY: "0",
    };
  }

  async close(): Promise<void> {
    this.#server.close();
    this.#server.closeAllConnections();
    await once(this.#server, "close");
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = decodeURIComponent(new URL(request.url ?? "/", this.url).pathname.slice(1));
    if (request.method === "PUT") {
      this.#publish(publication.parse(await json(request)));
      response.writeHead(201).end("{}");
      return;
    }
    const found = this.#packages.get(path) ?? this.#manifest(path);
    const archive = this.#archives.get(path);
    if (found !== undefined)
      response.setHeader("content-type", "application/json").end(JSON.stringify(found));
    else if (archive !== undefined) response.end(archive);
    else response.writeHead(302, { location: new URL(request.url ?? "/", UPSTREAM).href }).end();
  }

  /** The manifest of `name/version` or `name/tag`. */
  #manifest(path: string): unknown {
    const name = path.slice(0, path.lastIndexOf("/"));
    const version = path.slice(name.length + 1);
    const { versions = {}, "dist-tags": tags = {} } = this.#packages.get(name) ?? {};
    return versions[tags[version] ?? version];
  }

  #publish({ _attachments, ...sent }: z.output<typeof publication>): void {
    const former = this.#packages.get(sent.name);
    this.#packages.set(sent.name, {
      name: sent.name,
      versions: { ...former?.versions, ...sent.versions },
      "dist-tags": { ...former?.["dist-tags"], ...sent["dist-tags"] },
    });
    for (const [file, { data }] of Object.entries(_attachments))
      this.#archives.set(`${sent.name}/-/${file.split("/").at(-1)}`, Buffer.from(data, "base64"));
  }
}
