import { brandColors, type ThemeColors } from "@findersfee/contract/portal/brand-colors";
import type { CSSProperties } from "react";
import { Logo } from "./logo-section.tsx";
import type { PortalSettings } from "./queries.ts";
import { preview, texts } from "./texts.ts";

const THEMES = { light: "scheme-light", dark: "scheme-dark" } as const;

/** The portal on a phone in both themes, with the color that is typed; null: the service's own. */
export function Preview({ look, color }: { look: PortalSettings["look"]; color: string | null }) {
  const derived = color === null ? null : brandColors(color);
  return (
    <section className="border-t border-line py-8">
      <h2 className="font-semibold">{texts.preview}</h2>
      <p className="mt-1 max-w-140 text-table text-muted">{texts.preview_hint}</p>
      <div className="mt-4 flex flex-wrap gap-6">
        {(["light", "dark"] as const).map((theme) => (
          <figure key={theme} className="w-full max-w-90 min-w-0">
            <figcaption className="mb-1.5 text-table text-muted">{texts.themes[theme]}</figcaption>
            <div
              inert
              style={derived === null ? undefined : styleOf(derived[theme])}
              className={`overflow-hidden rounded-card border border-rule bg-page text-[16px]/[24px] text-ink ${THEMES[theme]}`}
            >
              <Phone look={look} />
            </div>
          </figure>
        ))}
      </div>
    </section>
  );
}

/** React sets these by script, which the policy allows. */
function styleOf({ solid, solid_hover, on_solid, solid_edge, text, line }: ThemeColors): CSSProperties {
  return {
    "--color-solid": solid,
    "--color-solid-hover": solid_hover,
    "--color-on-solid": on_solid,
    "--color-solid-edge": solid_edge,
    "--color-accent": text,
    "--color-accent-line": line,
  } as CSSProperties;
}

const PAGES = ["terms_url", "imprint_url", "privacy_url"] as const;

function Phone({ look }: { look: PortalSettings["look"] }) {
  const { name, logo, languages, support_email } = look;
  const pages = PAGES.filter((page) => look[page] !== null);
  return (
    <>
      <div className="flex min-h-15 items-center gap-3 border-b border-line px-4">
        <Logo logo={logo} alt="" />
        <span dir="auto" className="min-w-0 truncate font-semibold">
          {name}
        </span>
        {languages.length > 1 && (
          <span className="ml-auto shrink-0 text-[14px]/[20px] text-muted">
            {languages.map((language) => language.toUpperCase()).join(" ")}
          </span>
        )}
      </div>
      <div className="grid gap-4 px-4 py-5">
        <div>
          <p className="text-[13px]/[18px] text-muted">{preview.ready}</p>
          <p className="text-[34px]/[40px] font-medium tracking-[-0.022em] tabular-nums">{preview.amount}</p>
          <p className="text-[13px]/[18px] text-muted">{preview.held}</p>
        </div>
        <div className="flex items-center gap-3 rounded-card border border-line p-3">
          <div className="min-w-0 flex-1">
            <p className="text-[13px]/[18px] text-muted">{preview.your_link}</p>
            <p className="truncate">{preview.link}</p>
          </div>
          <span className="inline-flex h-11 shrink-0 items-center rounded-control border border-solid-edge bg-solid px-4 text-[14px] font-medium text-on-solid">
            {preview.copy}
          </span>
        </div>
        <Chart />
        <p className="text-accent underline underline-offset-2">{preview.payouts}</p>
      </div>
      {(pages.length > 0 || support_email !== null) && (
        <div className="flex flex-wrap gap-x-6 gap-y-1 border-t border-line px-4 py-3 text-[14px]/[20px] text-muted">
          {pages.map((page) => (
            <span key={page} className="underline underline-offset-2">
              {preview[page]}
            </span>
          ))}
          {support_email !== null && (
            <span className="min-w-0 underline underline-offset-2 wrap-anywhere">
              {preview.support(support_email)}
            </span>
          )}
        </div>
      )}
      <div className="flex border-t border-line text-[13px]/[18px]">
        <span className="flex-1 py-4 text-center font-medium text-accent">{preview.home}</span>
        <span className="flex-1 py-4 text-center text-muted">{preview.earnings}</span>
      </div>
    </>
  );
}

function Chart() {
  return (
    <div>
      <p className="text-[13px]/[18px] text-muted">{preview.earned}</p>
      <svg aria-hidden="true" viewBox="0 0 320 56" className="mt-1 w-full">
        <path
          d="M2 48 L34 40 L66 44 L98 28 L130 34 L162 20 L194 30 L226 14 L258 22 L290 8 L318 12"
          className="fill-none stroke-accent-line"
          strokeWidth="2"
          strokeLinejoin="round"
        />
      </svg>
    </div>
  );
}
