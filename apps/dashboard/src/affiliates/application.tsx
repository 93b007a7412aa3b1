import { Button, ButtonLink } from "@findersfee/ui/components/button";
import { Fact, Facts } from "@findersfee/ui/components/card";
import { State } from "@findersfee/ui/components/state";
import { Time, Untrusted } from "@findersfee/ui/components/values";
import { Link } from "@findersfee/ui/navigation";
import { ArrowLeft } from "lucide-react";
import { useState } from "react";
import { useSession } from "../session/session.tsx";
import { MailPreview } from "./mail-preview.tsx";
import { nameOf } from "./name.ts";
import type { Application as ApplicationRow } from "./queries.ts";
import { texts as list_texts } from "./texts.ts";
import { texts } from "./waiting-texts.ts";

export interface ApplicationProps {
  application: ApplicationRow;
  /** Null: the person may not decide. */
  onApprove: (() => void) | null;
  onDecline: () => void;
  back: string;
}

/** An application: the answers, the reasons for and against it, and the decision. */
export function Application({ application, onApprove, onDecline, back }: ApplicationProps) {
  const { email, campaign, created_at, payout_email, details, custom_fields } = application;
  return (
    <section aria-label={nameOf(application)} className="min-w-0 full:sticky full:top-4 full:self-start">
      <p className="-ml-3 pb-3 full:hidden">
        <ButtonLink look="quiet" to={back}>
          <ArrowLeft aria-hidden size={14} />
          {texts.back}
        </ButtonLink>
      </p>
      <header className="flex flex-wrap items-baseline justify-between gap-x-4 pb-4">
        <div className="min-w-0">
          <h2 dir="auto" className="line-clamp-3 text-lead font-semibold">
            {nameOf(application)}
          </h2>
          <p className="text-table wrap-anywhere text-muted">{email}</p>
        </div>
        <p className="text-table text-muted">
          <bdi>{campaign.name}</bdi> · <Time at={created_at} />
        </p>
      </header>
      <Facts stacked>
        {custom_fields.map(({ id, label, value }) => (
          <Fact key={id} label={label}>
            <Answer text={value} />
          </Fact>
        ))}
        {details !== null && (
          <Fact label={texts.details}>
            <Answer text={details} />
          </Fact>
        )}
        {payout_email !== null && payout_email !== email && (
          <Fact label={texts.payout_email}>{payout_email}</Fact>
        )}
        <Fact label={texts.checks}>
          <Checks application={application} />
        </Fact>
      </Facts>
      {onApprove !== null && (
        <div className="flex gap-2 pt-6">
          <Button look="solid" onClick={onApprove} aria-keyshortcuts="a">
            {texts.approve}
          </Button>
          <Button look="danger" onClick={onDecline} aria-keyshortcuts="d">
            {texts.decline}
          </Button>
        </div>
      )}
      <Mail id={application.id} />
    </section>
  );
}

/** A stranger's answer: a web address is a link without a referrer. */
function Answer({ text }: { text: string }) {
  if (!/^https?:\/\/\S+$/.test(text)) return <Untrusted>{text}</Untrusted>;
  return (
    <a href={text} target="_blank" rel="noreferrer noopener" className="text-accent wrap-anywhere underline">
      {text}
    </a>
  );
}

function Checks({ application: { email_confirmed_at, others } }: { application: ApplicationRow }) {
  const { home } = useSession();
  return (
    <ul className="grid gap-1">
      <li>
        {email_confirmed_at === null ? (
          <State tone="none">{texts.unconfirmed}</State>
        ) : (
          <State tone="done">{texts.confirmed}</State>
        )}
      </li>
      {others.length === 0 && (
        <li>
          <State tone="done">{texts.no_other}</State>
        </li>
      )}
      {others.map(({ id, campaign_name, state }) => (
        <li key={id}>
          <State tone="warning">
            <Link to={`${home}/affiliates/${id}`} className="underline underline-offset-2">
              {texts.other(campaign_name, list_texts.states[state].toLowerCase())}
            </Link>
          </State>
        </li>
      ))}
    </ul>
  );
}

/** Loads the mail when somebody wants to read it. */
function Mail({ id }: { id: string }) {
  const [open, setOpen] = useState(false);
  return (
    <details className="mt-6" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary className="text-table text-muted">{texts.mail}</summary>
      <div className="pt-2">{open && <MailPreview id={id} kind="approved" reason={null} />}</div>
    </details>
  );
}
