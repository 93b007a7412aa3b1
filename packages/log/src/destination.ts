import { type DestinationStream, destination } from "pino";
import { escapeJson } from "./printable.ts";

const BUFFER_BYTES = 16 * 1024 - 1;
const FLUSH_MILLISECONDS = 250;
/** Output buffered for a reader that does not read; later lines are dropped. */
const WAITING_BYTES = 8 * 1024 * 1024;
const ASCII_LINE = /^[\x20-\x7e]*\n$/;

let opened: DestinationStream | null = null;

/**
 * Buffered standard output for JSON lines: a system call per line would cost more than creating the line.
 * Lines contain request paths and other servers' errors, and may be read in a terminal. The buffer is flushed
 * when the process exits for any reason except a kill.
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
  // A full disk or a closed pipe stops the log, but not the service.
  stream.on("error", () => {
    fails = true;
  });
  stream.on("drain", () => {
    fails = false;
  });
  // Before pino's own handler: flushSync would retry forever, so the process would never exit.
  process.prependOnceListener("exit", () => {
    if (fails) stream.flushSync = () => {};
    else stream.flushSync();
  });
  return stream;
}
