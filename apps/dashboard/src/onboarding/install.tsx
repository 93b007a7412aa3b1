import { buttonClass } from "@findersfee/ui/components/button";
import { Code } from "@findersfee/ui/components/code";
import { CopyButton } from "@findersfee/ui/components/copy";
import { ExternalLink } from "lucide-react";
import { redirectLinkOf, type Tracker, tagOf, testLinkOf } from "./addresses.ts";
import { Waiting } from "./step.tsx";
import { texts } from "./texts.ts";

/** The tag of the pages, to copy. */
export function Tag({ publishable_key, tracker }: { publishable_key: string; tracker: Tracker }) {
  const tag = tagOf(publishable_key, tracker);
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-2">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <p className="text-table font-medium">{texts.tag}</p>
        <CopyButton text={tag} label={texts.copy_tag} />
      </div>
      <Code label={texts.tag}>{tag}</Code>
    </div>
  );
}

export interface TestLinkProps {
  website_url: string | null;
  code: string | null;
}

/** Opens the site as a visitor of an affiliate's link. The click then appears without a reload. */
export function TestLink({ website_url, code }: TestLinkProps) {
  const link = website_url === null || code === null ? null : testLinkOf(website_url, code);
  if (link === null) return <p className="text-table text-muted">{texts.needs_website}</p>;
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <div className="flex flex-wrap items-center gap-3">
        <a href={link} target="_blank" rel="noreferrer" className={buttonClass("solid")}>
          {texts.open_site}
          <ExternalLink aria-hidden size={14} />
        </a>
        <span dir="ltr" className="min-w-0 text-table text-muted [overflow-wrap:anywhere]">
          {link}
        </span>
      </div>
      <Waiting>{texts.click_waiting}</Waiting>
    </div>
  );
}

/** A link that works on pages without the tag. */
export function RedirectLink({
  code,
  publishable_key,
  tracker,
}: {
  code: string;
  publishable_key: string;
  tracker: Tracker;
}) {
  const link = redirectLinkOf(code, publishable_key, tracker);
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-2">
      <p className="text-table font-medium">{texts.redirect}</p>
      <Code label={texts.redirect} copy={link}>
        {link}
      </Code>
    </div>
  );
}
