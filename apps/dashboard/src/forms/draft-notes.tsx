import { Button } from "@findersfee/ui/components/button";
import { Notice } from "@findersfee/ui/components/notice";
import { RestoredNote } from "@findersfee/ui/forms/restored-note";
import { useEffect, useRef } from "react";
import { CHOICE } from "./focus-choice.ts";
import { texts } from "./texts.ts";
import type { FormDraft } from "./use-draft.ts";

/** Says that the form shows a draft, and asks about each field that somebody else has changed, too. */
export function DraftNotes({ draft }: { draft: FormDraft }) {
  return (
    <>
      <RestoredNote draft={draft} />
      {draft.conflicts.length > 0 && <Choices {...draft} />}
    </>
  );
}

function Choices({ conflicts, choose }: Pick<FormDraft, "conflicts" | "choose">) {
  const note = useRef<HTMLDivElement>(null);
  // It can appear when the button below the form is pressed.
  useEffect(() => {
    note.current?.scrollIntoView({ block: "nearest" });
  }, []);
  return (
    <div ref={note}>
      <Notice tone="warn" title={texts.conflict} alert>
        <p>{texts.conflict_hint}</p>
        <ul className="grid gap-2 pt-2">
          {conflicts.map(({ name, label, theirs }) => (
            <li key={name} className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
              <span dir="auto" className="line-clamp-3 min-w-0 [overflow-wrap:anywhere]">
                <span className="font-medium">{label}:</span> <bdi>{theirs}</bdi>
              </span>
              <span className="flex gap-2">
                {(["mine", "theirs"] as const).map((choice) => (
                  <Button
                    key={choice}
                    {...{ [CHOICE]: "" }}
                    aria-label={texts.choice_of(
                      choice === "mine" ? texts.keep_mine : texts.use_theirs,
                      label,
                    )}
                    onClick={() => choose(name, choice)}
                  >
                    {choice === "mine" ? texts.keep_mine : texts.use_theirs}
                  </Button>
                ))}
              </span>
            </li>
          ))}
        </ul>
      </Notice>
    </div>
  );
}
