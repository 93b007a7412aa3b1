import { Notice } from "@findersfee/ui/components/notice";
import { State } from "@findersfee/ui/components/state";
import { Time } from "@findersfee/ui/components/values";
import { APPLICATION_PATH } from "@findersfee/ui/requests/application-path";
import type { Health } from "./queries.ts";
import { texts } from "./texts.ts";

const GUIDE = `${APPLICATION_PATH}/docs/self-hosting#mail`;

interface MailSetupProps {
  delivery: Health["mail_delivery"];
  unsent: Health["unsent_mails"];
}

/** The missing setting that keeps the service from sending mails, and the number of dropped mails. */
export function MailSetup({ delivery, unsent: { count, since } }: MailSetupProps) {
  return (
    <>
      {delivery === null && <State tone="none">{texts.mails_unknown}</State>}
      {delivery !== null && delivery !== "sent" && (
        <Notice tone={delivery === "local" ? "info" : "bad"} title={texts.mail_setup[delivery]}>
          {texts.mail_setup_hint[delivery]}{" "}
          <a href={GUIDE} className="text-accent underline">
            {texts.guide}
          </a>
        </Notice>
      )}
      {count > 0 && since !== null && (
        <p className="flex flex-wrap items-baseline gap-x-2">
          <State tone="warning">{texts.unsent(count)}</State>
          <span className="text-table text-muted">
            {texts.unsent_since} <Time at={since} />
          </span>
        </p>
      )}
    </>
  );
}
