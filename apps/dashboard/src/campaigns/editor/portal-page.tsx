import { Card } from "@findersfee/ui/components/card";
import { Checkbox, RadioField, TextAreaField } from "@findersfee/ui/components/controls";
import { CopyButton } from "@findersfee/ui/components/copy";
import { FieldGroup } from "@findersfee/ui/components/field";
import { LightText } from "@findersfee/ui/components/light-text";
import { useDeferredValue } from "react";
import { WelcomePreview } from "../../affiliates/mail-preview.tsx";
import { useSession } from "../../session/session.tsx";
import { joinAddress, listAddress } from "../join-address.ts";
import { Beside } from "./beside.tsx";
import type { CampaignDraft } from "./draft.ts";
import { texts } from "./portal-texts.ts";
import { useEditor } from "./use-editor.ts";
import { words } from "./words.ts";

/** The settings of sign-up, and the portal's texts. */
export function PortalPage() {
  const { campaign, draft, set, issueOf } = useEditor();
  const message = useDeferredValue(draft.welcome_message);
  return (
    <Beside
      preview={
        <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
          <Card title={texts.mail}>
            <WelcomePreview campaign_id={campaign.id} welcome_message={message.trim() || null} />
          </Card>
          <TextPreview title={texts.portal_preview} text={draft.dashboard_text} />
        </div>
      }
    >
      <div className="grid grid-cols-[minmax(0,1fr)] gap-8">
        <FieldGroup title={texts.joining}>
          <RadioField
            label={texts.who}
            name="joining"
            choices={JOININGS.map((value) => ({
              value,
              label: words.joinings[value],
              hint: texts.joining_hints[value],
            }))}
            chosen={draft.joining}
            onChoose={(value) => set({ joining: value as CampaignDraft["joining"] })}
          />
          {draft.joining !== "closed" && <JoinAddresses campaign_id={campaign.id} joining={draft.joining} />}
        </FieldGroup>
        <FieldGroup title={texts.reading}>
          <TextAreaField
            label={texts.welcome}
            hint={texts.welcome_hint}
            optional
            value={draft.welcome_message}
            onChange={({ target }) => set({ welcome_message: target.value })}
            error={issueOf("welcome_message")}
          />
          <TextAreaField
            label={texts.dashboard_text}
            hint={texts.dashboard_hint}
            optional
            value={draft.dashboard_text}
            onChange={({ target }) => set({ dashboard_text: target.value })}
            error={issueOf("dashboard_text")}
          />
          <Checkbox
            label={texts.hide_emails}
            checked={draft.hide_emails}
            onChange={({ target }) => set({ hide_emails: target.checked })}
          />
        </FieldGroup>
      </div>
    </Beside>
  );
}

const JOININGS = ["listed", "by_link", "closed"] as const;

/** The addresses at which people join. */
function JoinAddresses({ campaign_id, joining }: { campaign_id: string; joining: "listed" | "by_link" }) {
  const { organization } = useSession();
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <Address label={texts.address} address={joinAddress(organization, campaign_id)} />
      {joining === "listed" && <Address label={texts.all_address} address={listAddress(organization)} />}
    </div>
  );
}

function Address({ label, address }: { label: string; address: string }) {
  return (
    <div>
      <p className="text-table font-medium">{label}</p>
      <p className="flex items-center gap-1">
        <a
          href={address}
          target="_blank"
          rel="noreferrer"
          className="min-w-0 truncate font-mono text-meta text-muted underline-offset-2 hover:text-ink hover:underline"
        >
          {address}
        </a>
        <CopyButton text={address} quiet />
      </p>
    </div>
  );
}

function TextPreview({ title, text }: { title: string; text: string }) {
  return (
    <Card title={title}>
      {text.trim() === "" ? (
        <p className="text-table text-muted">{texts.nothing_written}</p>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls
        <section tabIndex={0} aria-label={title} className="max-h-80 overflow-y-auto">
          <LightText text={text} className="text-table" />
        </section>
      )}
    </Card>
  );
}
