import { encode } from "uqr";

/** Light modules around the code, which cameras need. */
const BORDER = 2;

/** The dark modules of a text as an SVG path, in a square of `size`. */
function modulesOf(text: string): { path: string; size: number } {
  const { data, size } = encode(text, { border: BORDER });
  const path = data
    .flatMap((row, y) => row.map((is_dark, x) => (is_dark ? `M${x} ${y}h1v1h-1z` : "")))
    .join("");
  return { path, size };
}

/** A text as a QR code, black on white in both themes: cameras expect it. */
export function QrCode({ text, label }: { text: string; label: string }) {
  const { path, size } = modulesOf(text);
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
      className="size-48 justify-self-center rounded-card border border-line bg-white"
    >
      <path d={path} fill="#000" />
    </svg>
  );
}

/** The same as a file. */
export function qrCodeSvg(text: string): string {
  const { path, size } = modulesOf(text);
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size} ${size}" shape-rendering="crispEdges"><path d="M0 0h${size}v${size}H0z" fill="#fff"/><path d="${path}"/></svg>\n`;
}
