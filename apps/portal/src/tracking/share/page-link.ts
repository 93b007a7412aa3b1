/** The parameters that a link adds to a page: others with these names are replaced. */
const OWN_PARAMETERS = ["via", "sub", "ff_click"];

/** A sub-id, as the tracking script accepts it. */
const SUB_ID = /^[A-Za-z0-9._-]{1,64}$/;

/** An affiliate's link. */
export interface WebsiteLink {
  url: string;
  code: string;
  /** The page of the campaign, to which the link leads. */
  website_url: string;
}

export type PageLink =
  | { url: string; problem: null }
  /** `page`: not an address. `host`: a page of another website. `sub_id`: characters that sub-ids cannot have. */
  | { url: null; problem: "page" | "host" | "sub_id" };

/**
 * An affiliate's link to another page of the website, with a sub-id if there is one. The page keeps its own query and fragment.
 * It can be an address with or without `https://`, or a path.
 */
export function pageLink(link: WebsiteLink, { page, sub_id }: { page: string; sub_id: string }): PageLink {
  if (sub_id !== "" && !SUB_ID.test(sub_id)) return { url: null, problem: "sub_id" };
  const website = new URL(link.website_url);
  const target = page === "" ? new URL(link.url) : addressOf(page, website);
  if (target === null) return { url: null, problem: "page" };
  if (page !== "" && !isOfWebsite(target, website)) return { url: null, problem: "host" };
  target.username = "";
  target.password = "";
  // A link at the organization's own host name for links has the code in its path.
  const has_code = page === "" && !target.searchParams.has("via");
  // The page's own query stays as it was typed: URLSearchParams would write it in another way.
  const others = target.search
    .slice(1)
    .split("&")
    .filter((pair) => pair !== "" && !OWN_PARAMETERS.includes(nameOf(pair)));
  const own = [...(has_code ? [] : [`via=${link.code}`]), ...(sub_id === "" ? [] : [`sub=${sub_id}`])];
  target.search = [...own, ...others].join("&");
  return { url: target.href, problem: null };
}

function addressOf(page: string, website: URL): URL | null {
  const has_scheme = /^[a-z][a-z0-9+.-]*:\/\//i.test(page);
  const [first = ""] = page.split(/[/?#]/, 1);
  const is_path = first === "" || (!first.includes(".") && !first.includes(":"));
  const base = is_path ? website.origin : `${website.protocol}//`;
  // The URL parser would escape blanks: words are not an address.
  if (/\s/.test(page)) return null;
  // biome-ignore lint/plugin/swallowed-failure: throws only for text that is not a URL, which the page says
  try {
    const text = has_scheme ? page : is_path ? new URL(page, base).href : `${base}${page}`;
    const url = new URL(text);
    return url.protocol === "https:" || url.protocol === "http:" ? url : null;
  } catch {
    return null;
  }
}

/** The website's own host, with or without `www.`, and the hosts below it. */
function isOfWebsite({ hostname }: URL, website: URL): boolean {
  const own = withoutWww(website.hostname);
  return withoutWww(hostname) === own || hostname.endsWith(`.${own}`);
}

/** The host of a link's website, as people write it. */
export function websiteOf({ website_url }: Pick<WebsiteLink, "website_url">): string {
  return withoutWww(new URL(website_url).hostname);
}

function withoutWww(hostname: string): string {
  return hostname.replace(/^www\./, "");
}

function nameOf(pair: string): string {
  const [name = ""] = pair.split("=", 1);
  return name.toLowerCase();
}
