import { draftKey } from "@findersfee/ui/forms/draft-store";
import { useCallback, useEffect, useRef, useState } from "react";
import type { Conflict, SavedTexts } from "./changed-fields.ts";
import { DraftChanges } from "./draft-changes.ts";

export interface FormDraft {
  /** The form's `ref`. */
  form: (element: HTMLFormElement | null) => (() => void) | undefined;
  /** The form's `key`: discarding a draft makes a new form. */
  key: number;
  /** Whether the form shows a draft from before the page was loaded again. */
  is_restored: boolean;
  /** Forgets the draft, and makes the form as it was. */
  discard: () => void;
  /** Forgets the draft after it was saved or canceled. */
  clear: () => void;
  /** Called before the form is sent. Returns the function that forgets the sent values, and keeps later ones. */
  send: () => () => void;
  /** The fields that the person has changed, by the names of their controls. Others may be older than the saved ones. */
  changedOf: <Fields extends object>(fields: Fields) => Partial<Fields>;
  isChanged: (name: string) => boolean;
  /** Fields that somebody else has changed, too, and for which the person has not chosen yet. */
  conflicts: readonly Conflict[];
  /** Compares the draft with the present values, which may be newer than `saved`. False: the person must choose first. */
  agreesWith: (saved: SavedTexts) => boolean;
  /** Keeps the person's own text of a conflict, or takes that of the other. */
  choose: (name: string, choice: "mine" | "theirs") => void;
}

/**
 * Keeps the changes of a form, per address and tab, until they are saved or discarded; the other fields show the saved values.
 * The form's controls need names. Secrets, passwords and files are not kept. Show `RestoredNote` above the form. `name` tells
 * apart several forms of one address; `saved` are the current texts of what the form edits.
 */
export function useDraft(name = "", saved?: SavedTexts): FormDraft {
  const [version, setVersion] = useState(0);
  const [is_restored, setRestored] = useState(false);
  const [conflicts, setConflicts] = useState<readonly Conflict[]>([]);
  const kept = useRef<DraftChanges | null>(null);
  const latest = useRef(saved);
  const form = useCallback(
    (element: HTMLFormElement | null) => {
      if (element === null) return undefined;
      const draft = new DraftChanges(element, draftKey(name), (field) => latest.current?.(field));
      kept.current = draft;
      setRestored(draft.has_changes);
      return draft.follow(() => setConflicts(draft.conflicts));
    },
    [name],
  );
  useEffect(() => {
    latest.current = saved;
    const now = kept.current?.conflicts ?? [];
    setConflicts((before) => (JSON.stringify(before) === JSON.stringify(now) ? before : now));
  });
  const clear = useCallback(() => {
    kept.current?.forget();
    setRestored(false);
    setConflicts([]);
  }, []);
  const send = useCallback(() => {
    const forget = kept.current?.send();
    return () => {
      forget?.();
      setRestored(false);
    };
  }, []);
  const isChanged = useCallback((field: string) => kept.current?.has(field) ?? false, []);
  const discard = useCallback(() => {
    clear();
    setVersion((before) => before + 1);
  }, [clear]);
  const agreesWith = useCallback((now: SavedTexts) => {
    latest.current = now;
    const found = kept.current?.conflicts ?? [];
    setConflicts(found);
    return found.length === 0;
  }, []);
  const choose = useCallback((of: string, choice: "mine" | "theirs") => {
    kept.current?.choose(of, choice);
    setConflicts(kept.current?.conflicts ?? []);
  }, []);
  return {
    form,
    key: version,
    is_restored,
    discard,
    clear,
    send,
    isChanged,
    changedOf: (fields) => pick(fields, isChanged),
    conflicts,
    agreesWith,
    choose,
  };
}

function pick<Fields extends object>(fields: Fields, accepts: (name: string) => boolean): Partial<Fields> {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => accepts(name))) as Partial<Fields>;
}
