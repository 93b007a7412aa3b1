/*
 * Colors as six hexadecimal digits, their contrast, and their lightness. The contrast is that of WCAG 2.2 ("contrast ratio", "relative
 * luminance"); OKLCH and its matrices are Björn Ottosson's (https://bottosson.github.io/posts/oklab/), as in CSS Color 4, section 9.
 */

type Triple = readonly [number, number, number];

/** Lightness from 0 to 1, chroma, and hue in radians. */
export interface Oklch {
  lightness: number;
  chroma: number;
  hue: number;
}

/** The contrast of two colors, from 1 to 21. */
export function contrastOf(one: string, other: string): number {
  const [lower = 0, higher = 0] = [luminanceOf(one), luminanceOf(other)].sort((a, b) => a - b);
  return (higher + 0.05) / (lower + 0.05);
}

function luminanceOf(color: string): number {
  const [red, green, blue] = linearOf(color);
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

export function toOklch(color: string): Oklch {
  const [red, green, blue] = linearOf(color);
  const long = Math.cbrt(0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue);
  const medium = Math.cbrt(0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue);
  const short = Math.cbrt(0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue);
  const lightness = 0.2104542553 * long + 0.793617785 * medium - 0.0040720468 * short;
  const a = 1.9779984951 * long - 2.428592205 * medium + 0.4505937099 * short;
  const b = 0.0259040371 * long + 0.7827717662 * medium - 0.808675766 * short;
  return { lightness, chroma: Math.hypot(a, b), hue: Math.atan2(b, a) };
}

const CHROMA_STEPS = 16;

/** The color with this lightness and hue, and as much of the chroma as sRGB has there. */
export function fromOklch({ lightness, chroma, hue }: Oklch): string {
  let [kept, excessive] = [0, chroma];
  if (isInGamut(toLinear({ lightness, chroma, hue }))) kept = chroma;
  else {
    for (let step = 0; step < CHROMA_STEPS; step++) {
      const middle = (kept + excessive) / 2;
      if (isInGamut(toLinear({ lightness, chroma: middle, hue }))) kept = middle;
      else excessive = middle;
    }
  }
  const digits = toLinear({ lightness, chroma: kept, hue }).map((light) =>
    Math.round(encode(Math.min(1, Math.max(0, light))) * 255)
      .toString(16)
      .padStart(2, "0"),
  );
  return `#${digits.join("")}`;
}

function toLinear({ lightness, chroma, hue }: Oklch): Triple {
  const a = chroma * Math.cos(hue);
  const b = chroma * Math.sin(hue);
  const long = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const medium = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const short = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  return [
    4.0767416621 * long - 3.3077115913 * medium + 0.2309699292 * short,
    -1.2684380046 * long + 2.6097574011 * medium - 0.3413193965 * short,
    -0.0041960863 * long - 0.7034186147 * medium + 1.707614701 * short,
  ];
}

/** Half a step of the 255: such values are rounded into the gamut. */
const ROUNDED = 0.0001;

function isInGamut(color: Triple): boolean {
  return color.every((light) => light >= -ROUNDED && light <= 1 + ROUNDED);
}

function linearOf(color: string): Triple {
  const number = Number.parseInt(color.slice(1), 16);
  return [decode((number >> 16) & 255), decode((number >> 8) & 255), decode(number & 255)];
}

function decode(byte: number): number {
  const value = byte / 255;
  return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
}

function encode(light: number): number {
  return light <= 0.0031308 ? light * 12.92 : 1.055 * light ** (1 / 2.4) - 0.055;
}
