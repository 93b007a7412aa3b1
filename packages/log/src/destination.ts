import { type DestinationStream, destination } from "pino";
import { escapeJson } from "./printable.ts";

const BUFFER_BYTES = 16 * 1024 - 1;
const FLUSH_MILLISECONDS = 250;
/** What waits for a reader that does not read; later lines are dropped. */
const WAITING_BYTES = 8 * 1024 * 1024;
const ASCII_LINE = /^[\x20-\x7e]*\n$/;

let opened: DestinationStream | null = null;

/**
 * Standard output, for lines of JSON, written to in pieces: a system call for each line would cost more than making
 * the line. Lines hold requests' paths and errors of other servers, and may be read in a terminal.
 * What is left is written when the process ends, for whatever reason but a kill.
 */
export function logDestination(): DestinationStream {
  opened ??= open();
  return opened;
}

function open(): DestinationStream {
  const stream = destination({
    sync: false,
    minLength: BUFFER_BYTES,
    maxLength: WAITING_BYTES,
    periodicFlush: FLUSH_MILLISECONDS,
  });
  const write = stream.write.bind(stream);
  stream.write = (line) => write(ASCII_LINE.test(line) ? line : escapeJson(line));
  let fails = false;
  // A full disk or a closed pipe takes the log, but not the service.
  stream.on("error", () => {
    fails = true;
  });
  stream.on("drain", () => {
    fails = false;
  });
  // Before pino's own: flushSync tries again without end, so the process would never be gone.
  process.prependOnceListener("exit", () => {
    if (fails) stream.flushSync = () => {};
    else stream.flushSync();
  });
  return stream;
}
