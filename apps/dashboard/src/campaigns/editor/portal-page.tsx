import { Card } from "@findersfee/ui/components/card";
import { Checkbox, RadioField, TextAreaField } from "@findersfee/ui/components/controls";
import { CopyButton } from "@findersfee/ui/components/copy";
import { FieldGroup } from "@findersfee/ui/components/field";
import { LightText } from "@findersfee/ui/components/light-text";
import { SkeletonRows } from "@findersfee/ui/components/skeleton";
import { lazyPart } from "@findersfee/ui/requests/lazy-part";
import { Suspense, useDeferredValue } from "react";
import { WelcomePreview } from "../../affiliates/mail-preview.tsx";
import { useSession } from "../../session/session.tsx";
import { texts as shell_texts } from "../../shell/texts.ts";
import { joinAddress, listAddress } from "../join-address.ts";
import { Beside } from "./beside.tsx";
import type { CampaignDraft } from "./draft.ts";
import { LanguageSwitch } from "./language-switch.tsx";
import { texts } from "./portal-texts.ts";
import { missingTexts, shownTexts } from "./shown-texts.ts";
import { type Editor, useEditor } from "./use-editor.ts";
import { words } from "./words.ts";

/** Loaded once a person chooses another language. */
const TranslatedTexts = lazyPart(() => import("./translated-texts.tsx"), "TranslatedTexts");

/** The settings of sign-up, and the portal's texts. */
export function PortalPage() {
  const { campaign, portal, draft, shown, set } = useEditor();
  const { language } = shown;
  const { name, welcome_message, dashboard_text } = shownTexts(draft, language);
  const message = useDeferredValue(welcome_message);
  const campaign_name = useDeferredValue(name.trim());
  return (
    <Beside
      preview={
        <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
          <Card title={texts.mail}>
            <WelcomePreview
              campaign_id={campaign.id}
              welcome_message={message.trim() || null}
              {...(campaign_name === "" ? {} : { campaign_name })}
              {...(language === null ? {} : { language })}
            />
          </Card>
          <TextPreview title={texts.portal_preview} text={dashboard_text} />
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
          {draft.joining !== "closed" && <JoinAddresses portal={portal} joining={draft.joining} />}
        </FieldGroup>
        <FieldGroup title={texts.reading}>
          <LanguageSwitch shown={shown} missing={language === null ? 0 : missingTexts(draft, language)} />
          {language === null ? (
            <OwnTexts />
          ) : (
            <Suspense fallback={<SkeletonRows rows={3} label={shell_texts.loading} />}>
              <TranslatedTexts key={language} language={language} />
            </Suspense>
          )}
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

/** The campaign's own texts. */
function OwnTexts() {
  const { draft, set, issueOf } = useEditor();
  return (
    <>
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
    </>
  );
}

const JOININGS = ["listed", "by_link", "closed"] as const;

/** The addresses at which people join. */
function JoinAddresses({
  portal,
  joining,
}: {
  portal: Editor["portal"];
  /** As the person has chosen it: the short address is there once that is saved. */
  joining: "listed" | "by_link";
}) {
  const { organization } = useSession();
  const is_only_listed = portal.is_only_listed && joining === "listed";
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <Address label={texts.address} address={joinAddress(organization, { ...portal, is_only_listed })} />
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
