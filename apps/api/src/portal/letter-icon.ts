import type { PortalLook } from "@findersfee/contract/portal/look";
import { escapeHtml } from "@findersfee/domain/mails/escape-html";

const GRAY = { solid: "#3f3f46", on_solid: "#ffffff" };

/** An organization's icon: the first letter of its name, in its color. */
export function letterIcon({ name, colors }: Pick<PortalLook, "name" | "colors">): string {
  const { solid, on_solid } = colors?.light ?? GRAY;
  const [first] = new Intl.Segmenter().segment(name.trim());
  const letter = escapeHtml((first?.segment ?? "").toUpperCase());
  return (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">' +
    `<rect width="32" height="32" rx="7" fill="${solid}"/>` +
    `<text x="16" y="22.5" text-anchor="middle" font-family="system-ui,sans-serif" font-weight="600" font-size="19" fill="${on_solid}">${letter}</text>` +
    "</svg>"
  );
}
