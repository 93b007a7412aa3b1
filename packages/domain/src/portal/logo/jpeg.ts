import { damaged, LogoError, type Picture } from "./picture.ts";

const START = 0xd8;
const END = 0xd9;
const SCAN = 0xda;
const ADOBE = 0xee;
/** Baseline, extended and progressive, coded by Huffman: those that browsers show. */
const FRAMES = [0xc0, 0xc1, 0xc2];
/** Huffman tables, quantization tables and the restart interval. */
const TABLES = [0xc4, 0xdb, 0xdd];
/** Application data and comments. */
const METADATA_FROM = 0xe0;
const METADATA_TO = 0xef;
const COMMENT = 0xfe;
const RESTART_FROM = 0xd0;
const RESTART_TO = 0xd7;

/** Rewrites a JPEG file without application data, among it thumbnails, places and comments. Errors: `LogoError`. */
export function readJpeg(file: Buffer): Picture {
  const kept: Buffer[] = [Buffer.from([0xff, START])];
  let size: { width: number; height: number } | null = null;
  for (let at = 2; at + 2 <= file.length; ) {
    if (file[at] !== 0xff) break;
    const marker = file[at + 1] ?? 0;
    // Any number of 0xff may stand in front of a marker.
    if (marker === 0xff) {
      at++;
      continue;
    }
    if (marker === END) {
      if (size === null || !kept.some((part) => part[1] === SCAN)) break;
      return { ...size, content: Buffer.concat([...kept, Buffer.from([0xff, END])]) };
    }
    const segment = segmentAt(file, at);
    const end = marker === SCAN ? endOfScan(file, at + segment.length) : at + segment.length;
    if (FRAMES.includes(marker)) {
      if (size !== null) break;
      size = sizeOf(segment);
    }
    if (marker === SCAN && size === null) break;
    if (isPicture(marker, segment)) kept.push(file.subarray(at, end));
    else if (!isMetadata(marker)) throw new LogoError("This kind of JPEG is not supported; send a PNG.");
    at = end;
  }
  throw damaged("JPEG");
}

function isPicture(marker: number, segment: Buffer): boolean {
  return FRAMES.includes(marker) || TABLES.includes(marker) || marker === SCAN || isAdobe(marker, segment);
}

function isMetadata(marker: number): boolean {
  return marker === COMMENT || (marker >= METADATA_FROM && marker <= METADATA_TO);
}

/** It says how the colors are coded. */
function isAdobe(marker: number, segment: Buffer): boolean {
  return marker === ADOBE && segment.length === 16 && segment.toString("latin1", 4, 9) === "Adobe";
}

/** A segment with its marker. Its length counts itself, and not the marker. */
function segmentAt(file: Buffer, at: number): Buffer {
  if (at + 4 > file.length) throw damaged("JPEG");
  const length = file.readUInt16BE(at + 2);
  if (length < 2 || at + 2 + length > file.length) throw damaged("JPEG");
  return file.subarray(at, at + 2 + length);
}

function sizeOf(frame: Buffer): { width: number; height: number } {
  if (frame.length < 10 || frame[4] !== 8) throw damaged("JPEG");
  const [height, width] = [frame.readUInt16BE(5), frame.readUInt16BE(7)];
  if (width === 0 || height === 0) throw damaged("JPEG");
  return { width, height };
}

/** The compressed pixels end at a marker that is no restart. 0xff among them is followed by zero. */
function endOfScan(file: Buffer, start: number): number {
  for (let at = start; at + 1 < file.length; at++) {
    if (file[at] !== 0xff) continue;
    const next = file[at + 1] ?? 0;
    if (next !== 0 && next !== 0xff && (next < RESTART_FROM || next > RESTART_TO)) return at;
  }
  throw damaged("JPEG");
}
