import type { ClickDiscount } from "../public-api.ts";
import { type BannerTexts, textsIn } from "./texts.ts";

const NAME = "findersfee-discount";
/** Stores the click with a banner that the visitor dismissed in this tab. */
const DISMISSED = "findersfee_dismissed";

/** The page's `color-scheme` selects the colors. A constructed style sheet needs no permission of the page's CSP. */
const STYLES = `
:host { display: block; }
:host([hidden]) { display: none; }
p { margin: 0; }
[part="banner"] {
  display: flex; align-items: center; gap: 0.75em; padding: 0.5em 0.5em 0.5em 1em; box-sizing: border-box; line-height: 1.4;
  border-radius: var(--findersfee-radius, 0);
  color: var(--findersfee-color, #1e1b4b);
  background: var(--findersfee-background, #e8eaff);
}
@supports (color: light-dark(red, red)) {
  [part="banner"] {
    color: var(--findersfee-color, light-dark(#1e1b4b, #e8eaff));
    background: var(--findersfee-background, light-dark(#e8eaff, #27245c));
  }
}
[part="text"] { flex: 1; min-width: 0; text-align: var(--findersfee-align, center); overflow-wrap: anywhere; }
[part="title"] { margin-inline-end: 0.35em; font-weight: 600; }
[part="code"] { font: inherit; font-weight: 600; white-space: nowrap; user-select: all; }
[part="dismiss"] {
  flex: none; width: 2.75em; height: 2.75em; padding: 0; border: 0; border-radius: 0.375em;
  font: inherit; color: inherit; background: none; cursor: pointer;
}
[part="dismiss"]:hover { background: color-mix(in srgb, currentcolor 12%, transparent); }
[part="dismiss"]:focus-visible { outline: 2px solid currentcolor; outline-offset: -2px; }
[part="dismiss"] svg { display: block; width: 1em; height: 1em; margin: auto; }
`;

/** The attributes of a banner with content. */
const BOX_ATTRIBUTES = ["part", "role", "aria-label"];

const banners = new Set<{ show(): void }>();
let shown: { found: ClickDiscount; click_id: string } | null = null;

/** Shows the discount of a click in all banners of the page, and in those that it adds later; null: hides them. */
export function showInBanners(found: ClickDiscount | null, click_id: string): void {
  shown = found?.discount ? { found, click_id } : null;
  for (const banner of banners) banner.show();
}

/** Defines `<findersfee-discount>`. Its attribute `enter-code` is for checkouts where the customer types the code. */
export function defineBanner(): void {
  if (customElements.get(NAME)) return;
  const styles = new CSSStyleSheet();
  styles.replaceSync(STYLES);
  customElements.define(
    NAME,
    class extends HTMLElement {
      /** Both are in the page before their content, so that screen readers announce it. */
      readonly box = create("div", {});
      readonly text = create("p", { part: "text", role: "status" });

      connectedCallback(): void {
        if (!this.shadowRoot) {
          const root = this.attachShadow({ mode: "open" });
          root.adoptedStyleSheets = [styles];
          root.append(this.box);
          this.box.append(this.text);
        }
        banners.add(this);
        this.show();
      }

      disconnectedCallback(): void {
        banners.delete(this);
      }

      show(): void {
        this.box.querySelector("button")?.remove();
        if (shown === null || readDismissed() === shown.click_id) {
          for (const name of BOX_ATTRIBUTES) this.box.removeAttribute(name);
          this.text.replaceChildren();
          return;
        }
        const texts = textsIn(this.closest<HTMLElement>("[lang]")?.lang ?? "");
        set(this.box, { part: "banner", role: "region", "aria-label": texts.label });
        this.box.replaceChildren(
          this.text,
          dismissButton(texts, () => this.dismiss()),
        );
        this.text.replaceChildren(...contentOf(shown.found, texts, this.hasAttribute("enter-code")));
      }

      dismiss(): void {
        if (shown !== null) storeDismissed(shown.click_id);
        for (const banner of banners) banner.show();
        this.dispatchEvent(new Event("dismiss"));
      }
    },
  );
}

function contentOf(
  { affiliate, discount }: ClickDiscount,
  texts: BannerTexts,
  is_entered: boolean,
): (Node | string)[] {
  const title = create("span", { part: "title" });
  title.textContent = discount?.description ?? texts.title;
  const parts: (Node | string)[] = [title, " "];
  if (affiliate?.name) {
    const name = create("bdi", { part: "affiliate" });
    name.textContent = affiliate.name;
    parts.push(...put(texts.recommended_by, "{name}", name), " ");
  }
  const code = create("code", { part: "code", translate: "no" });
  code.textContent = discount?.code ?? "";
  parts.push(...put(is_entered ? texts.to_enter : texts.applied, "{code}", code));
  return parts;
}

/** A text with an element in its place. */
function put(text: string, place: string, element: Element): (Node | string)[] {
  const [before = "", after = ""] = text.split(place);
  return [before, element, after];
}

function dismissButton(texts: BannerTexts, dismiss: () => void): Element {
  const button = create("button", { part: "dismiss", type: "button", "aria-label": texts.dismiss });
  button.append(cross());
  button.addEventListener("click", dismiss);
  return button;
}

function cross(): Element {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
  set(svg, { viewBox: "0 0 16 16", "aria-hidden": "true" });
  set(path, {
    d: "M3 3l10 10M13 3L3 13",
    stroke: "currentColor",
    "stroke-width": "1.75",
    "stroke-linecap": "round",
  });
  svg.append(path);
  return svg;
}

function create(name: string, attributes: Record<string, string>): HTMLElement {
  const element = document.createElement(name);
  set(element, attributes);
  return element;
}

function set(element: Element, attributes: Record<string, string>): void {
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
}

function readDismissed(): string | null {
  // biome-ignore lint/plugin/swallowed-failure: a browser that blocks cookies blocks this, too
  try {
    return sessionStorage.getItem(DISMISSED);
  } catch {
    return null;
  }
}

function storeDismissed(click_id: string): void {
  // biome-ignore lint/plugin/swallowed-failure: a browser that blocks cookies blocks this, too
  try {
    sessionStorage.setItem(DISMISSED, click_id);
  } catch {}
}
