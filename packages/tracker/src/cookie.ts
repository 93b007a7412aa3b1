const NAME = "findersfee_click";
const PROBE = "findersfee_probe";
const DAY_SECONDS = 24 * 60 * 60;

/** The click id stored in the browser; undefined without one or when cookies are disabled. */
export function readCookie(): string | undefined {
  // biome-ignore lint/plugin/swallowed-failure: a frame with an opaque origin has no cookies and throws
  try {
    return /\bfindersfee_click=([^;]+)/.exec(document.cookie)?.[1];
  } catch {
    return undefined;
  }
}

/** Stores the click id on the registrable domain, so that all subdomains share it; for 0 days, deletes it. */
export function storeCookie(click_id: string, days: number): void {
  // biome-ignore lint/plugin/swallowed-failure: a frame with an opaque origin has no cookies and throws
  try {
    write(NAME, click_id, days * DAY_SECONDS, registrableDomain());
  } catch {}
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
    const is_taken = document.cookie.includes(PROBE);
    write(PROBE, "", 0, domain);
    if (is_taken) return domain;
  }
  return "";
}

function write(name: string, value: string, seconds: number, domain: string): void {
  // biome-ignore lint/suspicious/noDocumentCookie: not every browser has the Cookie Store API
  document.cookie = `${name}=${value};path=/;max-age=${seconds};samesite=lax${domain && `;domain=${domain}`}${location.protocol === "https:" ? ";secure" : ""}`;
}
