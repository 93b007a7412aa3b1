import { type DestinationStream, destination } from "pino";

const BUFFER_BYTES = 4096;
const FLUSH_MILLISECONDS = 250;

let opened: DestinationStream | null = null;

/**
 * Standard output, written to in pieces: a system call for each line would cost more than making the line.
 * What is left is written when the process ends, for whatever reason but a kill.
 */
export function logDestination(): DestinationStream {
  opened ??= open();
  return opened;
}

function open(): DestinationStream {
  const stream = destination({ sync: false, minLength: BUFFER_BYTES });
  setInterval(() => stream.flush(), FLUSH_MILLISECONDS).unref();
  process.once("exit", () => stream.flushSync());
  return stream;
}
