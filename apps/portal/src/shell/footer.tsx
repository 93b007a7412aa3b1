import type { PortalLook } from "@findersfee/contract/portal/look";
import { useTexts } from "../language/language.tsx";

const LINK = "inline-flex min-h-11 items-center underline underline-offset-2 hover:text-ink wrap-anywhere";

/** The organization's legal pages, and its address for questions. */
export function Footer({ look }: { look: PortalLook }) {
  const { frame } = useTexts();
  const { terms_url, imprint_url, privacy_url, support_email } = look;
  const pages = [
    [terms_url, frame.terms],
    [imprint_url, frame.imprint],
    [privacy_url, frame.privacy],
  ].filter(([url]) => url !== null);
  if (pages.length === 0 && support_email === null) return null;
  return (
    <footer className="border-t border-line print:hidden">
      <div className="mx-auto flex w-full max-w-240 flex-wrap gap-x-6 px-4 py-2 text-table text-muted tablet:px-6">
        {pages.map(([url, label]) => (
          <a key={label} href={url ?? undefined} target="_blank" rel="noreferrer" className={LINK}>
            {label}
          </a>
        ))}
        {support_email !== null && (
          <a href={`mailto:${support_email}`} className={LINK}>
            {frame.support(support_email)}
          </a>
        )}
      </div>
    </footer>
  );
}
