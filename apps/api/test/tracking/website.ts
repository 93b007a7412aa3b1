import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { borrowChromium, LOAD_MILLISECONDS } from "@findersfee/ui/testing/chromium";
import type { Browser, BrowserContext, BrowserContextOptions, Page } from "playwright-core";
import { BROWSER } from "../tracking-program.ts";

/** An organization's website, with the same content on each page, and its visitor in a real browser. */
export class Website {
  /** The content of the next pages. */
  html = "";
  headers: Record<string, string> = {};
  /** Errors and warnings in a page of the visitor. */
  readonly complaints: string[] = [];
  readonly #server: Server;
  readonly #browser: Browser;
  #visitor: BrowserContext | null = null;

  private constructor(browser: Browser) {
    this.#browser = browser;
    this.#server = createServer((_request, response) => {
      response.writeHead(200, { "content-type": "text/html; charset=utf-8", ...this.headers }).end(this.html);
    });
  }

  static async start(): Promise<Website> {
    const website = new Website(await borrowChromium());
    await new Promise<void>((resolve) => website.#server.listen(0, "127.0.0.1", resolve));
    return website;
  }

  get visitor(): BrowserContext {
    if (this.#visitor === null) throw new Error("nobody visits the website");
    return this.#visitor;
  }

  /** Starts as another visitor. */
  async visit(options: BrowserContextOptions = {}): Promise<void> {
    await this.leave();
    this.#visitor = await this.#browser.newContext({ userAgent: BROWSER, ...options });
    this.#visitor.setDefaultTimeout(LOAD_MILLISECONDS);
  }

  /** The visitor leaves; the website is as at first. */
  async leave(): Promise<void> {
    await this.#visitor?.close();
    this.#visitor = null;
    this.complaints.length = 0;
    this.headers = {};
  }

  address(host: string, path: string): string {
    return `http://${host}:${(this.#server.address() as AddressInfo).port}${path}`;
  }

  async open(path: string, host = "www.shop.test"): Promise<Page> {
    const opened = await this.visitor.newPage();
    opened.on("console", (message) => {
      if (message.type() === "error" || message.type() === "warning") this.complaints.push(message.text());
    });
    opened.on("pageerror", (error) => this.complaints.push(String(error)));
    await opened.goto(this.address(host, path), { waitUntil: "load" });
    return opened;
  }

  async close(): Promise<void> {
    await this.#browser.close();
    this.#server.close();
  }
}
