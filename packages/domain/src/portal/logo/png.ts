import { crc32, inflateSync } from "node:zlib";
import { MAX_LOGO_SIDE } from "@findersfee/contract/portal/logo-limits";
import { damaged, LogoError, type Picture } from "./picture.ts";

const SIGNATURE_BYTES = 8;
/** Length, type and checksum. */
const CHUNK_OVERHEAD = 12;
const HEADER_BYTES = 13;

/** Chunks beside the pixels that decide how they look. Color profiles are left out: they are compressed again. */
const KEPT = new Set(["PLTE", "tRNS", "gAMA", "cHRM", "sRGB"]);

/** Samples of a pixel, by color type (PNG, 11.2.2). */
const CHANNELS = new Map([
  [0, 1],
  [2, 3],
  [3, 1],
  [4, 2],
  [6, 4],
]);

/** The start and step of columns and rows in each pass of an interlaced picture (PNG, 8.2). */
const PASSES = [
  [0, 8, 0, 8],
  [4, 8, 0, 8],
  [0, 4, 4, 8],
  [2, 4, 0, 4],
  [0, 2, 2, 4],
  [1, 2, 0, 2],
  [0, 1, 1, 2],
] as const;

interface Chunk {
  type: string;
  data: Buffer;
  whole: Buffer;
}

/** Rewrites a PNG file with its first frame only. Errors: `LogoError`. */
export function readPng(file: Buffer): Picture {
  const chunks = chunksOf(file);
  const [header] = chunks;
  if (header?.type !== "IHDR" || header.data.length !== HEADER_BYTES) throw damaged("PNG");
  const width = header.data.readUInt32BE(0);
  const height = header.data.readUInt32BE(4);
  const kept = chunks.filter(({ type }) => KEPT.has(type));
  const pixels = Buffer.concat(chunks.filter(({ type }) => type === "IDAT").map(({ data }) => data));
  const compressed = compressedPixels(pixels, rawBytes(header.data, width, height));
  return {
    width,
    height,
    content: Buffer.concat([
      file.subarray(0, SIGNATURE_BYTES),
      header.whole,
      ...kept.map(({ whole }) => whole),
      chunk("IDAT", compressed),
      chunk("IEND", Buffer.alloc(0)),
    ]),
  };
}

function chunksOf(file: Buffer): Chunk[] {
  const chunks: Chunk[] = [];
  for (let at = SIGNATURE_BYTES; at + CHUNK_OVERHEAD <= file.length; ) {
    const end = at + CHUNK_OVERHEAD + file.readUInt32BE(at);
    if (end > file.length) break;
    const whole = file.subarray(at, end);
    const named = whole.subarray(4, -4);
    if (crc32(named) !== whole.readUInt32BE(whole.length - 4)) break;
    const type = named.toString("latin1", 0, 4);
    if (type === "IEND") return chunks;
    chunks.push({ type, data: named.subarray(4), whole });
    at = end;
  }
  throw damaged("PNG");
}

/** The size of the decompressed pixels, which the header alone determines. */
function rawBytes(header: Buffer, width: number, height: number): number {
  const [depth = 0, color = 0, compression, filter, interlace] = header.subarray(8);
  const channels = CHANNELS.get(color);
  const is_known = channels !== undefined && [1, 2, 4, 8, 16].includes(depth);
  if (!is_known || width === 0 || height === 0 || compression !== 0 || filter !== 0) throw damaged("PNG");
  if (Math.max(width, height) > MAX_LOGO_SIDE) {
    throw new LogoError(`The picture has ${width} × ${height} pixels; each side may have ${MAX_LOGO_SIDE}.`);
  }
  const sizeOf = (columns: number, rows: number) =>
    columns === 0 ? 0 : rows * (1 + Math.ceil((columns * depth * channels) / 8));
  if (interlace === 0) return sizeOf(width, height);
  if (interlace !== 1) throw damaged("PNG");
  const lines = (size: number, start: number, step: number) => Math.ceil(Math.max(0, size - start) / step);
  return PASSES.reduce(
    (sum, [x, columns, y, rows]) => sum + sizeOf(lines(width, x, columns), lines(height, y, rows)),
    0,
  );
}

/** The compressed pixels without bytes behind their end. Decompression stops at the size that the header announces. */
function compressedPixels(pixels: Buffer, raw_bytes: number): Buffer {
  // biome-ignore lint/plugin/swallowed-failure: a stream that is damaged, or longer than the picture, is reported below
  try {
    // The types of Node do not know what `info` changes.
    const { buffer, engine } = inflateSync(pixels, { info: true, maxOutputLength: raw_bytes }) as unknown as {
      buffer: Buffer;
      engine: { bytesWritten: number };
    };
    if (buffer.length === raw_bytes) return pixels.subarray(0, engine.bytesWritten);
  } catch {}
  throw damaged("PNG");
}

function chunk(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const whole = Buffer.alloc(named.length + 8);
  whole.writeUInt32BE(data.length, 0);
  named.copy(whole, 4);
  whole.writeUInt32BE(crc32(named), whole.length - 4);
  return whole;
}
