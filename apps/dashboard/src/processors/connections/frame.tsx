import { Page, PageTabs } from "@findersfee/ui/shell/page";
import type { ReactNode } from "react";
import { useSession } from "../../session/session.tsx";
import { ForbiddenPage, isForbidden } from "../../shell/forbidden-page.tsx";
import { texts } from "./texts.ts";

type Part = "connections" | "messages" | "promo-codes";

/** The tabs of the three lists. */
function ConnectionTabs({ part }: { part: Part }) {
  const { home } = useSession();
  const list = `${home}/connections`;
  return (
    <PageTabs
      label={texts.parts}
      tabs={[
        { to: list, label: texts.title, current: part === "connections" },
        { to: `${list}/messages`, label: texts.messages, current: part === "messages" },
        { to: `${list}/promo-codes`, label: texts.promo_codes, current: part === "promo-codes" },
      ]}
    />
  );
}

export interface ConnectionsFrameProps {
  part: Part;
  actions?: ReactNode;
  /** The error of the page's main query. */
  error: unknown;
  children: ReactNode;
}

/** One of the lists below "Connections". */
export function ConnectionsFrame({ part, actions, error, children }: ConnectionsFrameProps) {
  const { organization } = useSession();
  if (isForbidden(error)) return <ForbiddenPage error={error} />;
  return (
    <Page
      title={texts.title}
      document_title={`${texts.title} · ${organization.name}`}
      tabs={<ConnectionTabs part={part} />}
      actions={actions}
    >
      {children}
    </Page>
  );
}
