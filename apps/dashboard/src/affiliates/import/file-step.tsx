import { Button } from "@findersfee/ui/components/button";
import { TextAreaField } from "@findersfee/ui/components/controls";
import { RestoredNote } from "@findersfee/ui/forms/restored-note";
import { type DragEvent, type FormEvent, useRef, useState } from "react";
import { useDraft } from "../../forms/use-draft.ts";
import { parseCsv } from "./parse-csv.ts";
import { readText } from "./read-text.ts";
import { texts } from "./texts.ts";

const MOST_LINES = 10_000;

/** Takes the lines: pasted, chosen or dropped. */
export function FileStep({ onRead }: { onRead: (lines: string[][]) => void }) {
  const draft = useDraft();
  const input = useRef<HTMLInputElement>(null);
  const [problem, setProblem] = useState<string>();
  const read = (text: string) => {
    const lines = parseCsv(text);
    if (lines === null) return setProblem(texts.unclosed);
    if (lines.length < 2) return setProblem(texts.too_few);
    if (lines.length > MOST_LINES + 1) return setProblem(texts.too_many(lines.length - 1));
    draft.clear();
    return onRead(lines);
  };
  const readFile = async (file: File | undefined) => {
    if (file === undefined) return;
    const text = await readText(file);
    if (typeof text === "string") read(text);
    else setProblem(texts.not_utf8(text.wrong_line));
  };
  const drop = (event: DragEvent) => {
    event.preventDefault();
    void readFile(event.dataTransfer.files[0]);
  };
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    read(String(new FormData(event.currentTarget).get("lines") ?? ""));
  };
  return (
    <form
      key={draft.key}
      ref={draft.form}
      onSubmit={submit}
      onDrop={drop}
      onDragOver={(event) => event.preventDefault()}
      className="grid max-w-180 gap-4"
      noValidate
    >
      <RestoredNote draft={draft} />
      <TextAreaField
        label={texts.paste}
        name="lines"
        rows={8}
        dir="ltr"
        spellCheck={false}
        autoComplete="off"
        placeholder={texts.example}
        className="font-mono"
        hint={texts.paste_hint}
        error={problem}
      />
      <div className="flex flex-wrap items-center gap-3">
        <Button look="solid" type="submit">
          {texts.read}
        </Button>
        <Button onClick={() => input.current?.click()}>{texts.choose}</Button>
        <span className="text-table text-muted max-wide:hidden">{texts.drop}</span>
        <input
          ref={input}
          type="file"
          accept=".csv,text/csv,text/plain"
          aria-label={texts.choose}
          tabIndex={-1}
          className="hidden"
          onChange={(event) => readFile(event.target.files?.[0])}
        />
      </div>
    </form>
  );
}
