import { escapeHtml } from "@findersfee/domain/mails/escape-html";
import { type TaggedBody, tagBody } from "../rest/tagged-body.ts";

const THEMES = ["system", "light", "dark"] as const;

type Theme = (typeof THEMES)[number];

/** The page of all addresses, by theme: the class is in the first bytes, so that no other theme is painted. */
export type IndexPages = Record<Theme, TaggedBody>;

/** Never stored without asking: it names the files of one build. */
const CACHE_CONTROL = "private, no-cache";

/**
 * `path` is the path of the application, with a slash at each end. `is_at_host`: whether it is on an
 * organization's host name. Scripts read that from the attribute `data-host`.
 */
export function renderIndex(html: string, path: string, is_at_host = false): IndexPages {
  const document = is_at_host ? html.replace("<html ", "<html data-host ") : html;
  const render = (theme: Theme): TaggedBody => tagPage(renderPage(document, path, theme));
  return { system: render("system"), light: render("light"), dark: render("dark") };
}

/** The parts of a page that are read before its scripts run. */
export interface PageHead {
  title: string;
  description: string;
  /** The name of who runs the site. */
  site: string;
  /** The address of the page. */
  url: string;
  /** The addresses of pictures: for tabs, and for previews of links. */
  icon: string;
  image: string | null;
  /** Whether search engines may list it. */
  is_indexed: boolean;
}

/** A page of `renderIndex` with an organization's head in place of the service's. */
export function withHead({ body }: TaggedBody, head: PageHead): TaggedBody {
  const { title, description, site, url, icon, image, is_indexed } = head;
  const of = (property: string, content: string) =>
    `<meta property="og:${property}" content="${escapeHtml(content)}" />`;
  const metas = [
    `<meta name="description" content="${escapeHtml(description)}" />`,
    of("type", "website"),
    of("site_name", site),
    of("title", title),
    of("description", description),
    of("url", url),
    ...(image === null ? [] : [of("image", image)]),
  ];
  const titled = replaceElement(
    body.toString(),
    ["<title>", "</title>"],
    `<title>${escapeHtml(title)}</title>${metas.join("")}`,
  );
  const page = replaceElement(
    titled,
    ['<link rel="icon"', ">"],
    `<link rel="icon" href="${escapeHtml(icon)}" />`,
  );
  return tagPage(is_indexed ? page.replace('<meta name="robots" content="noindex" />', "") : page);
}

/** Replaces the first element that begins and ends with these texts. */
function replaceElement(page: string, [start, end]: readonly [string, string], element: string): string {
  const from = page.indexOf(start);
  const until = from === -1 ? -1 : page.indexOf(end, from);
  return until === -1 ? page : page.slice(0, from) + element + page.slice(until + end.length);
}

/** The page of a frame: it lists the origins that it exchanges messages with, and has the theme that its address names. */
export function renderEmbedded(
  html: string,
  { path, theme, frame_origins }: { path: string; theme: unknown; frame_origins: readonly string[] },
): TaggedBody {
  const page = renderPage(html, path, THEMES.find((known) => known === theme) ?? "system");
  return tagPage(
    page.replace(
      '<meta name="frame-origins" content="" />',
      `<meta name="frame-origins" content="${frame_origins.join(" ")}" />`,
    ),
  );
}

function renderPage(html: string, path: string, theme: Theme): string {
  return html
    .replace('<base href="/" />', `<base href="${path}" />`)
    .replace('lang="en">', `lang="en"${theme === "system" ? "" : ` class="${theme}"`}>`);
}

function tagPage(page: string): TaggedBody {
  return tagBody(page, "text/html; charset=utf-8", CACHE_CONTROL);
}

/** The theme that the browser's cookie `findersfee-theme` names. */
export function themeOf(cookies: string | undefined): Theme {
  const pairs = (cookies ?? "").split(";").map((pair) => pair.trim());
  return THEMES.find((theme) => pairs.includes(`findersfee-theme=${theme}`)) ?? "system";
}

/** The path of the application below its origin: `/` unless a proxy serves it under a prefix. */
export function applicationPath(public_url: string | null): string {
  const path = public_url === null ? "/" : new URL(public_url).pathname;
  return path.endsWith("/") ? path : `${path}/`;
}
