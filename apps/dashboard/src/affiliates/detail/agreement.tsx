import { Button } from "@findersfee/ui/components/button";
import { useClock } from "@findersfee/ui/components/clock";
import { CopyButton } from "@findersfee/ui/components/copy";
import { Notice } from "@findersfee/ui/components/notice";
import { Time } from "@findersfee/ui/components/values";
import { formatDateTime, formatDay } from "@findersfee/ui/formats/dates";
import { useMay } from "../../session/session.tsx";
import type { Detail } from "../queries.ts";
import { texts as list_texts } from "../texts.ts";
import { useInvite } from "../use-invite.ts";
import { texts } from "./texts.ts";

/**
 * The person has not agreed to be the affiliate: its consequences, whether the person knows of it, and the
 * options of staff.
 */
export function Agreement({ detail }: { detail: Detail }) {
  const { disowned_at, invitation, mail_waits_until } = detail;
  return (
    <div className="grid gap-4 pb-4 empty:hidden">
      {disowned_at !== null && (
        <Notice tone="warn" title={texts.disowned_title}>
          {texts.disowned_hint}
        </Notice>
      )}
      {invitation !== null && <OpenInvitation detail={detail} invitation={invitation} />}
      {mail_waits_until !== null && <WaitingMail until={mail_waits_until} />}
    </div>
  );
}

type Invitation = NonNullable<Detail["invitation"]>;

function OpenInvitation({
  detail: { affiliate, mail_waits_until },
  invitation,
}: {
  detail: Detail;
  invitation: Invitation;
}) {
  const clock = useClock();
  const may_invite = useMay("admin");
  const { invite, busy } = useInvite();
  const { mail, url, can_send } = invitation;
  return (
    <Notice
      tone="info"
      title={texts.not_agreed}
      actions={
        <span className="flex flex-wrap gap-2">
          {url !== null && <CopyButton text={url} label={texts.copy_invitation} />}
          {may_invite && can_send && (
            <Button busy={busy} onClick={() => invite([affiliate.id])}>
              {mail === null ? list_texts.invite : texts.invite_again}
            </Button>
          )}
        </span>
      }
    >
      <p>{texts.not_agreed_hint(formatDay(new Date(affiliate.created_at), clock))}</p>
      {/* A mail that waits has its own notice. */}
      {!(mail?.state === "due" && mail_waits_until !== null) && (
        <p>
          <MailState mail={mail} />
        </p>
      )}
    </Notice>
  );
}

function MailState({ mail }: Pick<Invitation, "mail">) {
  if (mail === null) return texts.no_invitation;
  if (mail.state === "due") return texts.invitation_due;
  return (
    <>
      {mail.state === "sent" ? texts.invitation_sent : texts.invitation_failed} <Time at={mail.at} />
    </>
  );
}

function WaitingMail({ until }: { until: string }) {
  const clock = useClock();
  return (
    <Notice tone="warn" title={texts.mail_waits(formatDateTime(new Date(until), clock))}>
      {texts.mail_waits_hint}
    </Notice>
  );
}
