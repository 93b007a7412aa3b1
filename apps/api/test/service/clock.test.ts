import { expect, it, vi } from "vitest";
import { startTestService } from "../test-service.ts";

it("is not ready with a clock that differs from the database's, and shows by how much", async () => {
  const service = await startTestService();
  const ready = async () => {
    const response = await fetch(`${service.url}/readyz`);
    const { error } = (await response.json()) as { error?: { message: string } };
    return [response.status, error?.message];
  };
  const offset = async () =>
    Number(
      /^findersfee_clock_offset_seconds (\S+)$/m.exec(
        await (await fetch(`${service.url}/metrics`)).text(),
      )?.[1],
    );
  const THREE_HOURS = 3 * 60 * 60;
  try {
    expect(await ready()).toEqual([200, undefined]);
    expect(Math.abs(await offset())).toBeLessThan(60);
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() - THREE_HOURS * 1000 });
    const [status, message] = await ready();
    expect(status).toBe(503);
    expect(message).toMatch(/^The clock of this machine is 10[78]\d\d s behind the database's\.$/);
    expect(Math.abs((await offset()) + THREE_HOURS)).toBeLessThan(60);
    vi.useRealTimers();
    expect(await ready()).toEqual([200, undefined]);
  } finally {
    vi.useRealTimers();
    await service.close();
  }
});
