/** The maximum length to read; no browser's header is longer. */
const MAX_RANGES = 30;

/** True when a client names HTML and does not prefer JSON, as browsers do (RFC 9110, 12.5.1). */
export function prefersHtml(accept: string | undefined): boolean {
  const ranges = (accept ?? "").split(",", MAX_RANGES).map((range) => {
    const [type = "", ...parameters] = range.split(";").map((part) => part.trim().toLowerCase());
    const quality = parameters.find((parameter) => parameter.startsWith("q="))?.slice(2) ?? "1";
    return { type, quality: Number(quality) || 0 };
  });
  const qualityOf = (type: string): number => ranges.find((range) => range.type === type)?.quality ?? 0;
  const html = qualityOf("text/html");
  return html > 0 && html >= qualityOf("application/json");
}
