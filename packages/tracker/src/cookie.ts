const NAME = "findersfee_click";
const PROBE = "findersfee_probe";
const DAY_SECONDS = 24 * 60 * 60;

/** The click id that the browser keeps; null: none, or it keeps no cookies. */
export function readCookie(name: string = NAME): string | null {
  try {
    return new RegExp(`(?:^|; )${name}=([^;]+)`).exec(document.cookie)?.[1] ?? null;
  } catch {
    // A frame without an origin has no cookies, and says so by throwing.
    return null;
  }
}

/** Keeps the click id on the registrable domain, so that all its subdomains have it. */
export function keepCookie(click_id: string, days: number): void {
  write(NAME, click_id, days * DAY_SECONDS, registrableDomain());
}

/**
 * The shortest suffix of the host that the browser takes a cookie for: it knows which ones are everybody's,
 * and refuses. Empty where none is taken, as for localhost: the cookie is then the host's.
 */
function registrableDomain(): string {
  const labels = location.hostname.split(".");
  for (let first = labels.length - 2; first >= 0; first--) {
    const domain = labels.slice(first).join(".");
    write(PROBE, "1", 9, domain);
    const is_taken = readCookie(PROBE);
    write(PROBE, "", 0, domain);
    if (is_taken) return domain;
  }
  return "";
}

function write(name: string, value: string, seconds: number, domain: string): void {
  try {
    // biome-ignore lint/suspicious/noDocumentCookie: not every browser has the Cookie Store API
    document.cookie = `${name}=${value};path=/;max-age=${seconds};samesite=lax${domain && `;domain=${domain}`}${location.protocol === "https:" ? ";secure" : ""}`;
  } catch {
    // The same frame as above.
  }
}
