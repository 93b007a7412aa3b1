import { Card } from "@findersfee/ui/components/card";
import { Checkbox, TextAreaField } from "@findersfee/ui/components/controls";
import { Beside } from "./beside.tsx";
import { texts } from "./portal-texts.ts";
import { useEditor } from "./use-editor.ts";

/** What do affiliates read? */
export function PortalPage() {
  const { draft, set, issueOf } = useEditor();
  return (
    <Beside
      preview={
        <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
          <TextPreview title={texts.mail} text={draft.welcome_message} />
          <TextPreview title={texts.portal_preview} text={draft.dashboard_text} />
        </div>
      }
    >
      <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
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
      </div>
    </Beside>
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
          <p dir="auto" className="text-table whitespace-pre-wrap [overflow-wrap:anywhere]">
            {text}
          </p>
        </section>
      )}
    </Card>
  );
}
