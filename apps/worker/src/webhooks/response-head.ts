import type { IncomingHttpHeaders } from "node:http";

/** The status line after any empty lines (RFC 9112, 2.2 and 4), with or without a reason phrase, also without CR. */
const STATUS_LINE = /^(?:\r?\n)*HTTP\/1\.\d (\d{3})(?: [^\r\n]*)?\r?\n/;
/** The empty line that ends a head. */
const END = /\r?\n\r?\n/;
const CONTENT_LENGTH = /^content-length[ \t]*:(.*)$/gim;
/** The maximum that the parser accepts. */
const MAX_HEAD_BYTES = 16 * 1024;

/**
 * Whether a response ends with its head although its headers announce a body, or two lengths: a 204 or 304 with a body,
 * or a length beside a transfer coding (RFC 9112, 6.3). Its status counts. Nothing after the head is reliable, so the
 * connection must not be reused.
 */
export function endsAtHead(status: number, headers: IncomingHttpHeaders): boolean {
  const { "content-length": length, "transfer-encoding": coding } = headers;
  if (status === 204 || status === 304)
    return coding !== undefined || (length !== undefined && length !== "0");
  return coding !== undefined && length !== undefined;
}

/**
 * Returns the final status of a response with headers that the parser rejected, such as a name with a space. The receiver
 * has processed the event if the head is complete, so sending it again would only repeat it.
 *
 * Null: the bytes start with no status line, the head is incomplete, or its lengths contradict each other, which makes
 * the response invalid (RFC 9112, 6.3).
 */
export function statusOfInvalidHead(bytes: Buffer): number | null {
  let text = bytes.toString("latin1", 0, MAX_HEAD_BYTES);
  for (;;) {
    const line = STATUS_LINE.exec(text);
    const status = Number(line?.[1]);
    if (line === null || status === 101 || status < 100 || status > 599) return null;
    // The head includes the end of the status line, which also ends a head without headers.
    const head = text.slice(line[0].length - 1);
    const end = END.exec(head);
    if (end === null) return null;
    if (status >= 200) return haveOneLength(head.slice(0, end.index)) ? status : null;
    text = head.slice(end.index + end[0].length);
  }
}

function haveOneLength(headers: string): boolean {
  const lengths = [...headers.matchAll(CONTENT_LENGTH)].flatMap(([, value = ""]) =>
    value.split(",").map((length) => length.trim()),
  );
  return lengths.every((length) => /^\d+$/.test(length) && length === lengths[0]);
}
