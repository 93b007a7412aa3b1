import { Beside } from "./beside.tsx";
import { RulesForm } from "./rules-form.tsx";
import { Schedule } from "./schedule.tsx";
import { useEditor } from "./use-editor.ts";

/** The commission rules of a campaign. */
export function RulesPage() {
  const editor = useEditor();
  return (
    <Beside preview={<Schedule draft={editor.draft} />}>
      <RulesForm {...editor} />
    </Beside>
  );
}
