import type { PortalLook } from "@findersfee/contract/portal/look";
import { useTexts as useComponentTexts } from "@findersfee/ui/texts";
import { type ReactNode, useLayoutEffect } from "react";
import { useOfferedLanguages, useTexts } from "../language/language.tsx";
import { setColors } from "../portal/look/colors.ts";
import { Brand } from "./brand.tsx";
import { Footer } from "./footer.tsx";
import { LanguageSwitch } from "./language-switch.tsx";
import { OfflineBanner } from "./offline-banner.tsx";

const MAIN = "content";

/** The header above every page, and the page. */
export function Shell({
  look,
  is_pending = false,
  navigation,
  menu,
  bar,
  children,
}: {
  /** Of the organization; null: none is known, and the portal has its own. */
  look: PortalLook | null;
  /** The organization is not known yet: its place stays empty, so that no other name comes before. */
  is_pending?: boolean;
  /** Links to pages, from `links` upwards. */
  navigation?: ReactNode;
  menu?: ReactNode;
  /** Links to pages at the bottom of phones. */
  bar?: ReactNode;
  children?: ReactNode;
}) {
  const texts = useComponentTexts();
  const { frame } = useTexts();
  const colors = look?.colors ?? null;
  useLayoutEffect(() => setColors(colors), [colors]);
  useOfferedLanguages(look?.languages);
  return (
    <div className={`flex min-h-dvh flex-col ${bar === undefined ? "" : "max-links:not-print:pb-20"}`}>
      <a
        href={`#${MAIN}`}
        onClick={(event) => {
          // A fragment would be relative to <base>.
          event.preventDefault();
          document.getElementById(MAIN)?.focus();
        }}
        className="sr-only rounded-control bg-raised px-4 py-2 focus:not-sr-only focus:fixed focus:top-2 focus:left-2 focus:z-50 focus:border focus:border-rule"
      >
        {texts.skip_to_content}
      </a>
      <header className="border-b border-line print:hidden">
        <div className="mx-auto flex min-h-15 w-full max-w-240 items-center gap-x-2 px-4 tablet:px-6">
          {(look !== null || !is_pending) && (
            <Brand name={look?.name ?? frame.portal} logo={look?.logo ?? null} />
          )}
          {navigation}
          <div className="ml-auto flex shrink-0 items-center">
            <LanguageSwitch offered={look?.languages} />
            {menu}
          </div>
        </div>
      </header>
      <OfflineBanner />
      <main id={MAIN} tabIndex={-1} className="flex-1 pb-10 outline-none">
        {children}
      </main>
      {look !== null && <Footer look={look} />}
      {bar}
    </div>
  );
}
