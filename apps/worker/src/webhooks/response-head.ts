import type { IncomingHttpHeaders } from "node:http";

/** The status line after any empty lines (RFC 9112, 2.2 and 4), with or without a reason phrase, also without CR. */
const STATUS_LINE = /^(?:\r?\n)*HTTP\/1\.\d (\d{3})(?: [^\r\n]*)?\r?\n/;
/** The empty line that ends a head. */
const END = /\r?\n\r?\n/;
const CONTENT_LENGTH = /^content-length[ \t]*:(.*)$/gim;
/** Of a head: as much as the parser takes. */
const LONGEST_HEAD = 16 * 1024;

/**
 * Whether a response ends with its head although its headers announce more, or announce it in two ways: a 204
 * or 304 with a body, or a length beside a transfer coding (RFC 9112, 6.3). Its status counts, nothing after the
 * head can be trusted, and its connection must not serve another request.
 */
export function endsAtHead(status: number, headers: IncomingHttpHeaders): boolean {
  const { "content-length": length, "transfer-encoding": coding } = headers;
  if (status === 204 || status === 304)
    return coding !== undefined || (length !== undefined && length !== "0");
  return coding !== undefined && length !== undefined;
}

/**
 * The final status of a response with headers that the parser refused, such as a name with a space. The receiver
 * has decided once its head is complete, so that sending the event again would only repeat it.
 *
 * Null: the bytes do not begin with a status line, the head is not complete, or its lengths contradict one
 * another, which makes it no valid response (RFC 9112, 6.3).
 */
export function statusOfRefusedHead(bytes: Buffer): number | null {
  let text = bytes.toString("latin1", 0, LONGEST_HEAD);
  for (;;) {
    const line = STATUS_LINE.exec(text);
    const status = Number(line?.[1]);
    if (line === null || status === 101 || status < 100 || status > 599) return null;
    // The line's end is kept, which is also the end of a head without headers.
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
