const NAME = "findersfee_click";
const PROBE = "findersfee_probe";
const DAY_SECONDS = 24 * 60 * 60;

/** The click id stored in the browser; null without one or when cookies are disabled. */
export function readCookie(name: string = NAME): string | null {
  // biome-ignore lint/plugin/swallowed-failure: a frame with an opaque origin has no cookies and throws
  try {
    return new RegExp(`(?:^|; )${name}=([^;]+)`).exec(document.cookie)?.[1] ?? null;
  } catch {
    return null;
  }
}

/** Stores the click id on the registrable domain, so that all subdomains share it. */
export function storeCookie(click_id: string, days: number): void {
  write(NAME, click_id, days * DAY_SECONDS, registrableDomain());
}

/**
 * The shortest suffix of the host that the browser accepts a cookie for; browsers reject public suffixes.
 * Empty if the browser accepts none, as for localhost: the cookie then belongs to the host.
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
  // biome-ignore lint/plugin/swallowed-failure: a frame with an opaque origin has no cookies and throws
  try {
    // biome-ignore lint/suspicious/noDocumentCookie: not every browser has the Cookie Store API
    document.cookie = `${name}=${value};path=/;max-age=${seconds};samesite=lax${domain && `;domain=${domain}`}${location.protocol === "https:" ? ";secure" : ""}`;
  } catch {}
}
