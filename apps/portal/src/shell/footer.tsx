import type { PortalLook } from "@findersfee/contract/portal/look";
import { useTexts } from "../language/language.tsx";

const LINK = "inline-flex min-h-11 items-center underline underline-offset-2 hover:text-ink wrap-anywhere";

/** The organization's terms, and its address for questions. */
export function Footer({ look: { terms_url, support_email } }: { look: PortalLook }) {
  const { frame } = useTexts();
  if (terms_url === null && support_email === null) return null;
  return (
    <footer className="border-t border-line print:hidden">
      <div className="mx-auto flex w-full max-w-240 flex-wrap gap-x-6 px-4 py-2 text-table text-muted tablet:px-6">
        {terms_url !== null && (
          <a href={terms_url} target="_blank" rel="noreferrer noopener" className={LINK}>
            {frame.terms}
          </a>
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
