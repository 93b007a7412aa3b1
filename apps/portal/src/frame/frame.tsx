import { useTexts as useComponentTexts } from "@findersfee/ui/texts";
import type { ReactNode } from "react";
import { Brand } from "./brand.tsx";
import { LanguageSwitch } from "./language-switch.tsx";
import { OfflineBanner } from "./offline-banner.tsx";

const MAIN = "content";

/** The header above every page, and the page. */
export function Frame({
  name,
  navigation,
  menu,
  bar,
  children,
}: {
  /** Of the organization, or of the portal. */
  name: string;
  /** Links to pages, from `tablet` upwards. */
  navigation?: ReactNode;
  menu?: ReactNode;
  /** Links to pages at the bottom of phones. */
  bar?: ReactNode;
  children: ReactNode;
}) {
  const texts = useComponentTexts();
  return (
    <div className={`flex min-h-dvh flex-col ${bar === undefined ? "" : "max-tablet:pb-20"}`}>
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
          <Brand name={name} />
          {navigation}
          <div className="ml-auto flex shrink-0 items-center">
            <LanguageSwitch />
            {menu}
          </div>
        </div>
      </header>
      <OfflineBanner />
      <main id={MAIN} tabIndex={-1} className="flex-1 pb-10 outline-none">
        {children}
      </main>
      {bar}
    </div>
  );
}
