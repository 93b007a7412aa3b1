/*
 * Question: when can a person use a page, and how fast does it react? Chromium opens pages of an organization with a million
 * commissions, with a cold cache; then it turns pages of a list.
 */
import { launchChromium } from "@findersfee/ui/testing/chromium";
import type { Browser } from "playwright-core";
import type { Bench } from "../bench.ts";
import { quantile } from "../measurement.ts";
import { type Verdict, whole } from "../table.ts";
import { markAfter, type Visit, visitCold } from "../visits.ts";
import { measureRoundTrips } from "./round-trips.ts";
import { signedIn } from "./signed-in.ts";
import { startSlowNetwork } from "./slow-network.ts";
import { type Subject, withSubject } from "./subject.ts";

const COLD_MILLISECONDS = 1_000;
const SLOW_MILLISECONDS = 2_000;
const CHANGE_MILLISECONDS = 300;
const INTERACTION_MILLISECONDS = 200;
const LONG_TASK_MILLISECONDS = 100;
const SLOW_PROCESSOR = 4;
const ROUND_TRIP_MILLISECONDS = 40;

/** Questions 2 to 4. */
export async function measurePages(bench: Bench): Promise<Verdict[]> {
  return await withSubject(bench, async (subject) => {
    const browser = await launchChromium();
    const slow = await startSlowNetwork(subject.port, ROUND_TRIP_MILLISECONDS);
    try {
      return [
        await measureCold(bench, browser, subject),
        await measureSlow(bench, browser, { ...subject, port: slow.port }),
        ...(await measureChanges(bench, browser, subject)),
        await measureRoundTrips(bench, browser, subject),
      ];
    } finally {
      await slow.stop();
      await browser.close();
    }
  });
}

const times = ({ quick }: Bench) => (quick ? 5 : 20);

async function measureCold(bench: Bench, browser: Browser, subject: Subject): Promise<Verdict> {
  const found: Record<string, Visit[]> = {};
  for (const path of ["", "/commissions", "/affiliates"]) {
    const visits: Visit[] = [];
    for (let time = 0; time < times(bench); time++) {
      visits.push(await visitCold(browser, subject, `${subject.home}${path}`));
    }
    found[path] = visits;
    bench.print(
      `${path || "overview"}: usable after ${whole(median(visits.map(({ usable }) => usable)))} ms, ${whole((visits[0]?.bytes ?? 0) / 1000)} kB in ${visits[0]?.requests} requests`,
    );
  }
  const usable = Math.max(...Object.values(found).map((visits) => median(visits.map((one) => one.usable))));
  return verdict("2 overview or list usable, cold cache", usable, COLD_MILLISECONDS);
}

async function measureSlow(bench: Bench, browser: Browser, subject: Subject): Promise<Verdict> {
  const usable: number[] = [];
  for (let time = 0; time < times(bench); time++) {
    usable.push((await visitCold(browser, subject, `${subject.home}/commissions`, SLOW_PROCESSOR)).usable);
  }
  return verdict("3 list usable, processor 4 times slower, 40 ms away", median(usable), SLOW_MILLISECONDS);
}

/** Turns pages and changes filters by keys and clicks, as people do. */
async function measureChanges(bench: Bench, browser: Browser, subject: Subject): Promise<Verdict[]> {
  const context = await signedIn(browser, subject);
  const page = await context.newPage();
  await page.goto(`http://127.0.0.1:${subject.port}${subject.home}/commissions`, {
    waitUntil: "networkidle",
  });
  await page.evaluate(OBSERVE);
  const durations: number[] = [];
  const changes = bench.quick ? 20 : 50;
  for (let change = 0; change < changes; change++) {
    const began = Number(await page.evaluate("performance.now()"));
    // Older, older, newer.
    await page.keyboard.press(change % 3 === 2 ? "p" : "n");
    durations.push((await markAfter(page, began)) - began);
  }
  const { interactions, tasks } = (await page.evaluate("window.observed")) as {
    interactions: number[];
    tasks: number[];
  };
  await context.close();
  return [
    verdict("4 page of a list turned, p95", p95(durations), CHANGE_MILLISECONDS),
    verdict("4 longest interaction (INP)", Math.max(0, ...interactions), INTERACTION_MILLISECONDS),
    verdict("4 longest task after the first paint", Math.max(0, ...tasks), LONG_TASK_MILLISECONDS),
  ];
}

/** Collects the durations of interactions and long tasks. */
const OBSERVE = `
  window.observed = { interactions: [], tasks: [] };
  const painted = performance.getEntriesByName("first-contentful-paint")[0].startTime;
  const observe = (type, list, options) =>
    new PerformanceObserver((entries) => {
      for (const { startTime, duration } of entries.getEntries()) if (startTime > painted) list.push(duration);
    }).observe({ type, ...options });
  observe("event", window.observed.interactions, { durationThreshold: 16 });
  observe("longtask", window.observed.tasks, { buffered: true });
`;

function sorted(values: readonly number[]): Float64Array {
  return Float64Array.from(values).sort();
}

const median = (values: readonly number[]): number => quantile(sorted(values), 0.5);
const p95 = (values: readonly number[]): number => quantile(sorted(values), 0.95);

function verdict(question: string, measured: number, most: number): Verdict {
  return {
    question,
    measured: `${whole(measured)} ms`,
    limit: "",
    ratio: "",
    target: `<= ${whole(most)} ms`,
    met: measured <= most,
  };
}
