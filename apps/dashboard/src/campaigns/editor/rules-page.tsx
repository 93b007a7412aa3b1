import { TryOnPastPayments } from "../../attribution/backtest/try-button.tsx";
import { Beside } from "./beside.tsx";
import { triedOf } from "./draft.ts";
import { LaterSchedule } from "./later-schedule.tsx";
import { RulesForm } from "./rules-form.tsx";
import { useEditor } from "./use-editor.ts";

/** The commission rules of a campaign. */
export function RulesPage() {
  const editor = useEditor();
  const { campaign, draft, changed } = editor;
  const drafted = { campaign_id: campaign.id, ...triedOf(draft, changed) };
  const preview = (
    <div className="grid gap-6">
      <LaterSchedule draft={draft} />
      <TryOnPastPayments draft={{ campaign: drafted }} campaign_id={drafted.campaign_id} />
    </div>
  );
  return (
    <Beside preview={preview}>
      <RulesForm {...editor} />
    </Beside>
  );
}
