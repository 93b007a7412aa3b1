import { ButtonLink } from "@findersfee/ui/components/button";
import { failureOf } from "@findersfee/ui/requests/failure";
import { LockKeyhole } from "lucide-react";
import { useSession } from "../session/session.tsx";
import { MessagePage } from "./message-page.tsx";
import { texts } from "./texts.ts";

export function isForbidden(error: unknown): boolean {
  return error !== null && failureOf(error).status === 403;
}

/** In place of a page that the service refuses: its message names the role that may see it. */
export function ForbiddenPage({ error }: { error: unknown }) {
  const { home } = useSession();
  return (
    <MessagePage
      icon={LockKeyhole}
      title={texts.forbidden}
      action={<ButtonLink to={home}>{texts.home}</ButtonLink>}
    >
      <p>{failureOf(error).message}</p>
      <p>{texts.forbidden_hint}</p>
    </MessagePage>
  );
}
