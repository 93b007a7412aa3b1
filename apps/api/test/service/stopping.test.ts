import { once } from "node:events";
import { connect } from "node:net";
import { expect, it } from "vitest";
import { LIMITS } from "../../src/limits.ts";
import { startTestService } from "../test-service.ts";

it("stops despite a client that does not read its response", async () => {
  const service = await startTestService({}, { ...LIMITS, stop_milliseconds: 500 });
  const { hostname, port } = new URL(service.url);
  const socket = connect(Number(port), hostname);
  socket.on("error", () => {});
  // More than the connection's buffers can store.
  const request = "GET /docs/minisearch.js HTTP/1.1\r\nhost: x\r\n\r\n";
  for (let times = 0; times < 300; times++) socket.write(request);
  const [start] = await once(socket, "data");
  expect(String(start)).toMatch(/^HTTP\/1.1 200 /);
  socket.pause();
  const stopped_at = performance.now();
  await service.close();
  const seconds = (performance.now() - stopped_at) / 1000;
  expect(seconds).toBeGreaterThan(0.4);
  expect(seconds).toBeLessThan(15);
  socket.destroy();
});
