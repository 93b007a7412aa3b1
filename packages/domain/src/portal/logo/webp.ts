import { damaged, LogoError, type Picture } from "./picture.ts";

const RIFF_BYTES = 12;
const CHUNK_HEAD_BYTES = 8;
const EXTENDED_BYTES = 10;
const ANIMATION_FLAG = 0x02;
const ALPHA_FLAG = 0x10;
/** Sides of a frame have 14 bits. */
const SIDE = 0x3fff;

/** Rewrites a WebP file of one frame, without color profile and metadata. Errors: `LogoError`. */
export function readWebp(file: Buffer): Picture {
  const chunks = chunksOf(file);
  const extended = chunks.get("VP8X");
  if (extended !== undefined) requireStill(extended, chunks);
  const lossless = chunks.get("VP8L");
  const lossy = chunks.get("VP8 ");
  if (lossless !== undefined && lossy === undefined) {
    return { ...losslessSize(lossless), content: riff([chunk("VP8L", lossless)]) };
  }
  if (lossy === undefined || lossless !== undefined) throw damaged("WebP");
  const size = lossySize(lossy);
  const alpha = extended === undefined ? undefined : chunks.get("ALPH");
  const frame = chunk("VP8 ", lossy);
  if (alpha === undefined) return { ...size, content: riff([frame]) };
  return { ...size, content: riff([chunk("VP8X", extendedHead(size)), chunk("ALPH", alpha), frame]) };
}

/** The first chunk of each type. Bytes after the end that the head announces are left out. */
function chunksOf(file: Buffer): Map<string, Buffer> {
  if (file.length < RIFF_BYTES) throw damaged("WebP");
  const end = 8 + file.readUInt32LE(4);
  if (end > file.length) throw damaged("WebP");
  const chunks = new Map<string, Buffer>();
  for (let at = RIFF_BYTES; at + CHUNK_HEAD_BYTES <= end; ) {
    const type = file.toString("latin1", at, at + 4);
    const start = at + CHUNK_HEAD_BYTES;
    const length = file.readUInt32LE(at + 4);
    if (start + length > end) throw damaged("WebP");
    if (!chunks.has(type)) chunks.set(type, file.subarray(start, start + length));
    at = start + length + (length % 2);
  }
  return chunks;
}

function requireStill(extended: Buffer, chunks: Map<string, Buffer>): void {
  if (extended.length !== EXTENDED_BYTES) throw damaged("WebP");
  const is_animated = ((extended[0] ?? 0) & ANIMATION_FLAG) !== 0 || chunks.has("ANIM") || chunks.has("ANMF");
  if (is_animated) throw new LogoError("The picture moves; send one with a single frame.");
}

function losslessSize(frame: Buffer): Pick<Picture, "width" | "height"> {
  if (frame.length < 5 || frame[0] !== 0x2f) throw damaged("WebP");
  const bits = frame.readUInt32LE(1);
  // The version is zero.
  if (bits >>> 29 !== 0) throw damaged("WebP");
  return { width: (bits & SIDE) + 1, height: ((bits >>> 14) & SIDE) + 1 };
}

function lossySize(frame: Buffer): Pick<Picture, "width" | "height"> {
  const is_key_frame = frame.length >= 10 && ((frame[0] ?? 1) & 1) === 0;
  if (!is_key_frame || frame.readUIntBE(3, 3) !== 0x9d012a) throw damaged("WebP");
  const [width, height] = [frame.readUInt16LE(6) & SIDE, frame.readUInt16LE(8) & SIDE];
  if (width === 0 || height === 0) throw damaged("WebP");
  return { width, height };
}

function extendedHead({ width, height }: Pick<Picture, "width" | "height">): Buffer {
  const head = Buffer.alloc(EXTENDED_BYTES);
  head[0] = ALPHA_FLAG;
  head.writeUIntLE(width - 1, 4, 3);
  head.writeUIntLE(height - 1, 7, 3);
  return head;
}

function chunk(type: string, data: Buffer): Buffer {
  const head = Buffer.alloc(CHUNK_HEAD_BYTES);
  head.write(type, "latin1");
  head.writeUInt32LE(data.length, 4);
  return Buffer.concat([head, data, Buffer.alloc(data.length % 2)]);
}

function riff(chunks: Buffer[]): Buffer {
  const body = Buffer.concat(chunks);
  const head = Buffer.alloc(RIFF_BYTES);
  head.write("RIFF", "latin1");
  head.writeUInt32LE(body.length + 4, 4);
  head.write("WEBP", 8, "latin1");
  return Buffer.concat([head, body]);
}
