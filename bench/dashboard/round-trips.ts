/* How many times does a page ask the service, each time only after an answer? Its files are counted apart. */
import type { Browser, Request } from "playwright-core";
import type { Bench } from "../bench.ts";
import type { Verdict } from "../table.ts";
import { signedIn } from "./signed-in.ts";
import { startSlowNetwork } from "./slow-network.ts";
import type { Subject } from "./subject.ts";

const MAX_ROUND_TRIPS = 3;
/** So long that requests of one round trip have all begun before the first answer. */
const ROUND_TRIP_MILLISECONDS = 1_000;

const PATHS = [
  "",
  "/affiliates",
  "/affiliates/waiting",
  "/referrals",
  "/payments",
  "/commissions",
  "/payouts",
  "/payouts/next",
  "/campaigns",
  "/campaigns/new",
  "/developers/keys",
  "/developers/webhooks",
  "/developers/events",
  "/connections",
  "/connections/messages",
  "/settings/team",
  "/settings/history",
  "/settings/health",
];

/** A question of pages: the most round trips of any. */
export async function measureRoundTrips(bench: Bench, browser: Browser, subject: Subject): Promise<Verdict> {
  const slow = await startSlowNetwork(subject.port, ROUND_TRIP_MILLISECONDS);
  try {
    const counts: [path: string, round_trips: number][] = [];
    for (const path of PATHS) {
      counts.push([path, await countRoundTrips(browser, { ...subject, port: slow.port }, path)]);
    }
    bench.print(counts.map(([path, count]) => `${path || "overview"} ${count}`).join(", "));
    const most = Math.max(...counts.map(([, count]) => count));
    return {
      question: "4 most round trips of a page to the service",
      measured: String(most),
      limit: "",
      ratio: "",
      target: `<= ${MAX_ROUND_TRIPS}`,
      met: most <= MAX_ROUND_TRIPS,
    };
  } finally {
    await slow.stop();
  }
}

async function countRoundTrips(browser: Browser, subject: Subject, path: string): Promise<number> {
  const context = await signedIn(browser, subject);
  const page = await context.newPage();
  const calls: Request[] = [];
  page.on("request", (request) => {
    if (/\/(trpc|auth)\//.test(request.url())) calls.push(request);
  });
  await page.goto(`http://127.0.0.1:${subject.port}${subject.home}${path}`, { waitUntil: "networkidle" });
  const times = calls
    .map((call) => call.timing())
    .map(({ startTime, responseStart }) => ({ began: startTime, ended: startTime + responseStart }))
    .sort((a, b) => a.began - b.began);
  await context.close();
  const depths: number[] = [];
  for (const [index, { began }] of times.entries()) {
    const earlier = depths.filter((_, other) => other < index && (times[other]?.ended ?? began) <= began);
    depths.push(1 + Math.max(0, ...earlier));
  }
  return Math.max(0, ...depths);
}
