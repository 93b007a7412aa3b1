/* A logo is a file from outside: it keeps its pixels, and nothing else. */
import { crc32, deflateSync } from "node:zlib";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { LogoError } from "../../src/portal/logo/picture.ts";
import { readLogo } from "../../src/portal/logo/read.ts";
import { PICTURES, pictureOf } from "./pictures.ts";

const STILL = (Object.keys(PICTURES) as (keyof typeof PICTURES)[]).filter((name) => name !== "moving_webp");

function chunk(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  checksum.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, checksum]);
}

/** A PNG with these sides, 8 bits per channel, transparency, and compressed pixels. */
function png(width: number, height: number, pixels: Buffer): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 6, 0, 0, 0], 8);
  const signature = Buffer.from("\x89PNG\r\n\x1a\n", "latin1");
  return Buffer.concat([
    signature,
    chunk("IHDR", header),
    chunk("IDAT", pixels),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

/** Compressed pixels of a picture of one color. */
function blank(width: number, height: number): Buffer {
  return deflateSync(Buffer.alloc(height * (1 + width * 4)));
}

const HIDDEN = "<script>alert(1)</script>";

describe("a picture", () => {
  it.each(STILL)("%s keeps its type and size, and is rewritten once only", (name) => {
    const logo = readLogo(pictureOf(name));
    expect(logo).toMatchObject({ type: `image/${name.split("_").at(-1)}`, width: 12, height: 6 });
    expect(readLogo(logo.content)).toEqual(logo);
  });

  it.each(STILL)("%s loses what stands behind its end", (name) => {
    const file = pictureOf(name);
    const polyglot = Buffer.concat([file, Buffer.from(HIDDEN)]);
    expect(readLogo(polyglot)).toEqual(readLogo(file));
  });

  it.each(STILL)("%s is refused if its end is missing", (name) => {
    const file = pictureOf(name);
    for (let length = 12; length < file.length - 1; length += 5) {
      expect(() => readLogo(file.subarray(0, length)), String(length)).toThrow(LogoError);
    }
  });

  it("has no text, no profile and no further frame of a PNG", () => {
    const file = pictureOf("png");
    const secrets = [
      chunk("tEXt", Buffer.from(`Comment\0${HIDDEN}`)),
      chunk("iCCP", Buffer.concat([Buffer.from("sRGB\0\0"), deflateSync(Buffer.alloc(1_000_000))])),
      chunk("eXIf", Buffer.from(HIDDEN)),
      chunk("fdAT", Buffer.from(HIDDEN)),
    ];
    const after_header = 8 + 25;
    const full = Buffer.concat([file.subarray(0, after_header), ...secrets, file.subarray(after_header)]);
    expect(readLogo(full)).toEqual(readLogo(file));
  });

  it("has no place, no thumbnail and no comment of a JPEG", () => {
    const file = pictureOf("jpeg");
    const data = Buffer.from(HIDDEN);
    const segments = [0xe1, 0xe2, 0xed, 0xee, 0xfe].map((marker) =>
      Buffer.concat([Buffer.from([0xff, marker, 0, data.length + 2]), data]),
    );
    const full = Buffer.concat([file.subarray(0, 2), ...segments, file.subarray(2)]);
    expect(readLogo(full)).toEqual(readLogo(file));
    expect(readLogo(full).content.includes("JFIF")).toBe(false);
  });

  it("has no metadata of a WebP", () => {
    const { content } = readLogo(pictureOf("transparent_webp"));
    const data = Buffer.from(`${HIDDEN}.`);
    const head = Buffer.alloc(8);
    head.write("EXIF");
    head.writeUInt32LE(data.length, 4);
    const full = Buffer.concat([content, head, data]);
    full.writeUInt32LE(full.length - 8, 4);
    expect(readLogo(full).content).toEqual(content);
  });
});

describe("a file", () => {
  it.each([
    ["an SVG", '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>', /scripts/],
    ["an SVG with a declaration", '<?xml version="1.0"?><svg onload="alert(1)"/>', /scripts/],
    ["a page", "<!doctype html><title>x</title>", /PNG, JPEG or WebP/],
    ["a GIF", "GIF89a\x01\x00\x01\x00\x80\x00\x00", /PNG, JPEG or WebP/],
    ["nothing", "", /PNG, JPEG or WebP/],
    ["a page behind the start of a PNG", `\x89PNG\r\n\x1a\n${HIDDEN.repeat(9)}`, /damaged/],
    ["a page behind the start of a JPEG", `\xff\xd8\xff${HIDDEN.repeat(9)}`, /damaged|not supported/],
    ["a page behind the start of a WebP", `RIFF\x20\x00\x00\x00WEBP${HIDDEN.repeat(9)}`, /damaged/],
  ])("that is %s is refused", (_name, text, message) => {
    expect(() => readLogo(Buffer.from(text, "latin1"))).toThrow(message);
  });

  it("that moves is refused", () => {
    expect(() => readLogo(pictureOf("moving_webp"))).toThrow("moves");
  });

  it("of more than 128 KiB is refused, and one of less is not", () => {
    const extra = (bytes: number) => Buffer.concat([pictureOf("png"), Buffer.alloc(bytes - 89)]);
    expect(readLogo(extra(128 * 1024))).toMatchObject({ width: 12 });
    expect(() => readLogo(extra(128 * 1024 + 1))).toThrow("128 KiB");
  });

  it("with sides of 1,024 pixels is accepted, with more not", () => {
    expect(readLogo(png(1024, 1, blank(1024, 1)))).toMatchObject({ width: 1024, height: 1 });
    expect(() => readLogo(png(1025, 1, blank(1025, 1)))).toThrow("1025 × 1 pixels");
    expect(() => readLogo(png(1, 100_000, blank(1, 1)))).toThrow("1 × 100000 pixels");
  });

  it("without pixels is refused", () => {
    expect(() => readLogo(png(0, 2, blank(0, 2)))).toThrow("damaged");
    expect(() => readLogo(png(2, 0, blank(2, 0)))).toThrow("damaged");
    const [start, end] = [pictureOf("png").subarray(0, 8 + 25), pictureOf("png").subarray(-12)];
    expect(() => readLogo(Buffer.concat([start, end]))).toThrow("damaged");
  });

  it("with any bytes changed is refused, or rewritten to the same file each time", () => {
    const changes = fc.array(fc.tuple(fc.nat(600), fc.nat(255)), { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(fc.constantFrom(...STILL), changes, (name, bytes) => {
        const file = Buffer.from(pictureOf(name));
        for (const [at, byte] of bytes) file[at % file.length] = byte;
        let logo: ReturnType<typeof readLogo>;
        try {
          logo = readLogo(file);
        } catch (error) {
          expect(error).toBeInstanceOf(LogoError);
          return;
        }
        expect(Math.max(logo.width, logo.height)).toBeLessThanOrEqual(1024);
        expect(logo.content.length).toBeLessThanOrEqual(file.length + 64);
        expect(readLogo(logo.content)).toEqual(logo);
      }),
      { numRuns: 2_000 },
    );
  });
});
