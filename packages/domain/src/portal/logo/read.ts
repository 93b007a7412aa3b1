import { MAX_LOGO_BYTES, MAX_LOGO_SIDE } from "@findersfee/contract/portal/logo-limits";
import type { PortalLogoRow } from "@findersfee/database/portal/looks";
import { readJpeg } from "./jpeg.ts";
import { LogoError, type Picture } from "./picture.ts";
import { readPng } from "./png.ts";
import { readWebp } from "./webp.ts";

/** A logo that may be served: its pixels as they were sent, without metadata. */
export interface Logo extends Picture, Pick<PortalLogoRow, "type"> {}

const FORMATS = [
  { type: "image/png", start: [[0, "\x89PNG\r\n\x1a\n"]], read: readPng },
  { type: "image/jpeg", start: [[0, "\xff\xd8\xff"]], read: readJpeg },
  {
    type: "image/webp",
    start: [
      [0, "RIFF"],
      [8, "WEBP"],
    ],
    read: readWebp,
  },
] as const;

/**
 * Rewrites a picture. The file's own bytes decide its format. Metadata, further frames and bytes after the
 * end are left out: a photo can contain the place where it was taken. The headers of the response, not this
 * function, keep a file from acting as a page.
 *
 * @throws LogoError with the fault
 */
export function readLogo(file: Buffer): Logo {
  if (file.length > MAX_LOGO_BYTES) throw new LogoError("The file is larger than 128 KiB.");
  const format = FORMATS.find(({ start }) =>
    start.every(([at, bytes]) => file.toString("latin1", at, at + bytes.length) === bytes),
  );
  if (format === undefined) throw new LogoError(refusalOf(file));
  const { width, height, content } = format.read(file);
  if (Math.max(width, height) > MAX_LOGO_SIDE) {
    throw new LogoError(`The picture has ${width} × ${height} pixels; each side may have ${MAX_LOGO_SIDE}.`);
  }
  return { type: format.type, width, height, content };
}

function refusalOf(file: Buffer): string {
  const text = file.toString("latin1", 0, 1000);
  if (/<svg|<\?xml/i.test(text)) {
    return "An SVG file can contain scripts. Send a PNG instead.";
  }
  return "Must be a PNG, JPEG or WebP file.";
}
