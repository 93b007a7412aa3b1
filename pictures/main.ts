/*
 * Takes the pictures of the README: `pnpm pictures` starts a service, fills a program with invented data, and writes
 * docs/pictures. It needs Chromium.
 */
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { mailedCode } from "@findersfee/domain/portal/mailed-code";
import { launchChromium } from "@findersfee/ui/testing/chromium";
import type { Browser, BrowserContext, BrowserContextOptions } from "playwright-core";
import { fillProgram, type Program } from "./program.ts";
import { SECRETS_KEY, type Service, withService } from "./service.ts";

const FOLDER = join(import.meta.dirname, "../docs/pictures");
/** Readers load all pictures with the page. */
const MAX_BYTES = 150_000;

/** Resolves once the page has its heading and nothing in it changes any more: parts of pages load after them. */
const SHOWN = `new Promise((resolve) => {
  let changed_at = performance.now();
  const observer = new MutationObserver(() => (changed_at = performance.now()));
  observer.observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
  const check = () => {
    const is_shown = document.querySelector("h1") !== null
      && document.querySelector(".appear-late, [aria-busy=true]") === null
      && performance.now() - changed_at > 1_500;
    if (is_shown) resolve();
    else requestAnimationFrame(check);
  };
  check();
})`;

const WIDE = { width: 1440, height: 900 };
const PHONE = { width: 390, height: 844 };

interface Picture {
  name: string;
  path: string;
  who: "member" | "affiliate";
  /** The heading of the shown page. */
  heading: string | RegExp;
  options: BrowserContextOptions;
}

function picturesOf({ slug, decision_id, run_id }: Program): Picture[] {
  const wide: BrowserContextOptions = { viewport: WIDE, colorScheme: "light" };
  const home = `/o/${slug}`;
  return [
    { name: "overview", path: home, who: "member", heading: "Overview", options: wide },
    {
      name: "overview-dark",
      path: home,
      who: "member",
      heading: "Overview",
      options: { ...wide, colorScheme: "dark" },
    },
    {
      name: "payment",
      path: `${home}/payments/${decision_id}`,
      who: "member",
      heading: / from /,
      options: wide,
    },
    {
      name: "payout-run",
      path: `${home}/payouts/runs/${run_id}`,
      who: "member",
      heading: / run$/,
      options: wide,
    },
    { name: "portal", path: "/portal/", who: "affiliate", heading: "Home", options: wide },
    {
      name: "portal-phone",
      path: "/portal/",
      who: "affiliate",
      heading: "Home",
      options: { viewport: PHONE, colorScheme: "light", deviceScaleFactor: 2 },
    },
  ];
}

type StorageState = Awaited<ReturnType<BrowserContext["storageState"]>>;

function memberState({ cookie }: Program): StorageState {
  const [name = "", value = ""] = cookie.split("=");
  const place = { domain: "127.0.0.1", path: "/", expires: -1 };
  return {
    cookies: [{ name, value, ...place, httpOnly: true, secure: false, sameSite: "Lax" }],
    origins: [],
  };
}

/** Signs an affiliate in with the code that was mailed to it. */
async function affiliateState(
  browser: Browser,
  { url, database }: Service,
  { email }: Program,
): Promise<StorageState> {
  const context = await browser.newContext();
  const post = async (path: string, data: object) => {
    const response = await context.request.post(`${url}/portal/auth/${path}`, {
      data,
      headers: { origin: url },
    });
    if (!response.ok()) throw new Error(`${path}: ${await response.text()}`);
  };
  await post("code", { email });
  const [code] = await database<[{ id: string }]>`select id from portal_codes order by id desc limit 1`;
  await post("sign-in", { code: mailedCode(SECRETS_KEY, code.id) });
  const state = await context.storageState();
  await context.close();
  return state;
}

async function takePicture(
  browser: Browser,
  address: string,
  { name, heading, options, storageState }: Picture & { storageState: StorageState },
): Promise<void> {
  const context = await browser.newContext({ ...options, storageState, locale: "en-US" });
  const page = await context.newPage();
  await page.goto(address, { waitUntil: "networkidle" });
  await page.getByRole("heading", { level: 1, name: heading }).waitFor();
  await page.evaluate(SHOWN);
  const content = await toWebp(context, await page.screenshot({ animations: "disabled" }));
  await context.close();
  if (content.length > MAX_BYTES)
    throw new Error(`${name} has ${content.length} bytes, more than ${MAX_BYTES}`);
  await writeFile(join(FOLDER, `${name}.webp`), content);
  console.log(`docs/pictures/${name}.webp  ${Math.round(content.length / 1_000)} kB`);
}

/** Chromium compresses pictures to a third of their PNG; Playwright writes no WebP. */
async function toWebp(context: BrowserContext, png: Buffer): Promise<Buffer> {
  const page = await context.newPage();
  const base64 = await page.evaluate<string>(`(async () => {
    const source = await fetch("data:image/png;base64,${png.toString("base64")}");
    const bitmap = await createImageBitmap(await source.blob());
    const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
    canvas.getContext("2d").drawImage(bitmap, 0, 0);
    const blob = await canvas.convertToBlob({ type: "image/webp", quality: 0.92 });
    const bytes = new Uint8Array(await blob.arrayBuffer());
    return btoa(bytes.reduce((text, byte) => text + String.fromCharCode(byte), ""));
  })()`);
  return Buffer.from(base64, "base64");
}

await withService(async (service) => {
  const program = await fillProgram(service.database);
  const browser = await launchChromium();
  try {
    await mkdir(FOLDER, { recursive: true });
    const member = memberState(program);
    const affiliate = await affiliateState(browser, service, program);
    for (const picture of picturesOf(program)) {
      const storageState = picture.who === "member" ? member : affiliate;
      await takePicture(browser, `${service.url}${picture.path}`, { ...picture, storageState });
    }
  } finally {
    await browser.close();
  }
});
