import { TryOnPastPayments } from "../../attribution/backtest/try-button.tsx";
import { Beside } from "./beside.tsx";
import { payingOf } from "./draft.ts";
import { RulesForm } from "./rules-form.tsx";
import { Schedule } from "./schedule.tsx";
import { useEditor } from "./use-editor.ts";

/** The commission rules of a campaign. */
export function RulesPage() {
  const editor = useEditor();
  const { campaign, draft } = editor;
  const drafted = {
    campaign_id: campaign.id,
    ...payingOf(draft),
    skip_prorations: draft.skip_prorations,
  };
  const preview = (
    <div className="grid gap-6">
      <Schedule draft={draft} />
      <TryOnPastPayments campaign={drafted} />
    </div>
  );
  return (
    <Beside preview={preview}>
      <RulesForm {...editor} />
    </Beside>
  );
}
