import { expect, it } from "vitest";
import { pause } from "./pause.ts";

const HOUR = 60 * 60_000;

it("ends when the signal is aborted", async () => {
  const stopping = new AbortController();
  const paused = pause(HOUR, stopping.signal);
  stopping.abort();
  await paused;
  await pause(HOUR, stopping.signal);
  expect(stopping.signal.aborted).toBe(true);
});

it("ends after its time", async () => {
  const stopping = new AbortController();
  await pause(1, stopping.signal);
  expect(stopping.signal.aborted).toBe(false);
});
