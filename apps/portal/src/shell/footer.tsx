import type { PortalLook } from "@findersfee/contract/portal/look";
import { useTexts } from "../language/language.tsx";

const LINK = "inline-flex min-h-11 items-center underline underline-offset-2 hover:text-ink wrap-anywhere";

/** The organization's legal pages, and its address for questions. */
export function Footer({ look }: { look: PortalLook }) {
  const { frame } = useTexts();
  const { support_email } = look;
  const pages = [
    { url: look.terms_url, label: frame.terms },
    { url: look.imprint_url, label: frame.imprint },
    { url: look.privacy_url, label: frame.privacy },
  ];
  if (support_email === null && pages.every(({ url }) => url === null)) return null;
  return (
    <footer className="border-t border-line print:hidden">
      <div className="mx-auto flex w-full max-w-240 flex-wrap gap-x-6 px-4 py-2 text-table text-muted tablet:px-6">
        {pages.map(
          ({ url, label }) =>
            url !== null && (
              <a key={label} href={url} target="_blank" rel="noreferrer noopener" className={LINK}>
                {label}
              </a>
            ),
        )}
        {support_email !== null && (
          <a href={`mailto:${support_email}`} className={LINK}>
            {frame.support(support_email)}
          </a>
        )}
      </div>
    </footer>
  );
}
