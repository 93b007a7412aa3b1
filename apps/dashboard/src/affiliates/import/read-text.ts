const LINE_FEED = 0x0a;

/** The text of a UTF-8 file, or the number of its first line that is not UTF-8. */
export async function readText(file: Blob): Promise<string | { wrong_line: number }> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  const text = decode(bytes);
  if (text !== null) return text;
  for (let line = 1, start = 0; ; line++) {
    const end = bytes.indexOf(LINE_FEED, start);
    if (end === -1 || decode(bytes.subarray(start, end)) === null) return { wrong_line: line };
    start = end + 1;
  }
}

/** Null: the bytes are not UTF-8, or of a text in UTF-16, which has NUL characters. */
function decode(bytes: Uint8Array): string | null {
  // biome-ignore lint/plugin/swallowed-failure: throws only for bytes that are not UTF-8
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return text.includes("\0") ? null : text;
  } catch {
    return null;
  }
}
