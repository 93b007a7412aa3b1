import { afterEach, beforeEach, expect, it } from "vitest";
import { runRound, type Script } from "./round.ts";
import { Stage } from "./stage.ts";
import { Subscriber } from "./subscriber.ts";

let stage: Stage;

beforeEach(async () => {
  stage = await Stage.open();
});

afterEach(() => stage.close());

const deliver: Script = async () => {
  const subscriber = await Subscriber.create(stage);
  return { name: "an event", start: () => subscriber.record(1), check: () => subscriber.check() };
};

it("reports unfinished work with the gauges", async () => {
  // No worker runs.
  const { problems } = await runRound(stage, {
    scripts: [deliver],
    plan: () => null,
    late_milliseconds: 200,
  });
  expect(problems).toEqual([
    expect.stringMatching(/^an event: not delivered: 1 of 1 \(.* is pending after 0 attempts/),
    expect.stringMatching(/^the gauges say /),
    expect.stringMatching(/^the jobs say \[/),
  ]);
});

it("reports requests without a logged attempt", async () => {
  await stage.startWorker();
  const { works, problems } = await runRound(stage, { scripts: [deliver], plan: () => null });
  expect(problems).toEqual([]);
  expect(works).toHaveLength(1);
  const subscriber = await Subscriber.create(stage);
  await subscriber.record(1);
  subscriber.requests.push({ path: "", id: subscriber.events[0] ?? "", headers: {}, body: "", at: 0 });
  await expect
    .poll(() => subscriber.check().catch((error: Error) => error.message))
    .toBe("2 requests, and attempts 1 of 1 in the log");
});
