/* Sends the same bytes for every request, to measure the load generator's own cost. */
import { createServer } from "node:net";
import { runJobs } from "../jobs.ts";

export interface BareServerJob {
  body_bytes: number;
}

runJobs(serve);

/** Returns the port. */
function serve({ body_bytes }: BareServerJob): Promise<number> {
  const answer = `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${body_bytes}\r\n\r\n${"x".repeat(body_bytes)}`;
  const server = createServer({ noDelay: true }, (socket) => {
    // A POST's body ends its request.
    socket.on("data", (chunk) => chunk.at(-1) === 0x7d && socket.write(answer, "latin1"));
    socket.on("error", () => socket.destroy());
  });
  return new Promise((resolve) => {
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      resolve(address !== null && typeof address === "object" ? address.port : 0);
    });
  });
}
