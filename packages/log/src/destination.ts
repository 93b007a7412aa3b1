import { type DestinationStream, destination } from "pino";
import { escapeJson } from "./printable.ts";

const BUFFER_BYTES = 16 * 1024 - 1;
const FLUSH_MILLISECONDS = 250;
/** The maximum output that waits for a slow reader; further lines are dropped. */
const MAX_WAITING_BYTES = 8 * 1024 * 1024;
const ASCII_LINE = /^[\x20-\x7e]*\n$/;

let opened: DestinationStream | null = null;

/**
 * Buffered standard output for JSON lines: a system call per line would cost more than creating the line. Lines are escaped,
 * because they contain request paths and other servers' errors, and terminals display them. The buffer is flushed when the
 * process exits for any reason except a kill.
 */
export function logDestination(): DestinationStream {
  opened ??= open();
  return opened;
}

function open(): DestinationStream {
  const stream = destination({
    sync: false,
    minLength: BUFFER_BYTES,
    maxLength: MAX_WAITING_BYTES,
    periodicFlush: FLUSH_MILLISECONDS,
  });
  const write = stream.write.bind(stream);
  stream.write = (line) => write(ASCII_LINE.test(line) ? line : escapeJson(line));
  // A full disk or a closed pipe stops the log, but not the service.
  let is_failing = false;
  stream.on("error", () => {
    is_failing = true;
  });
  stream.on("drain", () => {
    is_failing = false;
  });
  // Runs before pino's own handler: during a failure its flushSync would retry forever, and the process would never exit.
  process.prependOnceListener("exit", () => {
    if (is_failing) stream.flushSync = () => {};
    else stream.flushSync();
  });
  return stream;
}
