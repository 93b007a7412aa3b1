import { crc32 } from "node:zlib";
import { damaged, type Picture } from "./picture.ts";

const SIGNATURE_BYTES = 8;
/** Length, type and checksum. */
const CHUNK_OVERHEAD = 12;
const HEADER_BYTES = 13;

/** The chunks with the pixels and their look. Color profiles are left out: they contain names and texts. */
const KEPT = new Set(["IHDR", "PLTE", "tRNS", "gAMA", "cHRM", "sRGB", "IDAT", "IEND"]);

interface Chunk {
  type: string;
  data: Buffer;
  whole: Buffer;
}

/** Rewrites a PNG file with its first frame only. Browsers unpack as much as its header announces. Errors: `LogoError`. */
export function readPng(file: Buffer): Picture {
  const chunks = chunksOf(file);
  const [header] = chunks;
  if (header?.type !== "IHDR" || header.data.length !== HEADER_BYTES) throw damaged("PNG");
  const width = header.data.readUInt32BE(0);
  const height = header.data.readUInt32BE(4);
  const has_pixels = width > 0 && height > 0 && chunks.some(({ type }) => type === "IDAT");
  if (!has_pixels) throw damaged("PNG");
  const kept = chunks.filter(({ type }) => KEPT.has(type)).map(({ whole }) => whole);
  return { width, height, content: Buffer.concat([file.subarray(0, SIGNATURE_BYTES), ...kept]) };
}

/** The chunks up to the end of the picture. */
function chunksOf(file: Buffer): Chunk[] {
  const chunks: Chunk[] = [];
  for (let at = SIGNATURE_BYTES; at + CHUNK_OVERHEAD <= file.length; ) {
    const end = at + CHUNK_OVERHEAD + file.readUInt32BE(at);
    if (end > file.length) break;
    const whole = file.subarray(at, end);
    const named = whole.subarray(4, -4);
    if (crc32(named) !== whole.readUInt32BE(whole.length - 4)) break;
    const type = named.toString("latin1", 0, 4);
    chunks.push({ type, data: named.subarray(4), whole });
    if (type === "IEND") return chunks;
    at = end;
  }
  throw damaged("PNG");
}
