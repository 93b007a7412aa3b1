import { draftKey } from "@findersfee/ui/forms/draft-store";
import { type RefObject, useCallback, useEffect, useRef, useState } from "react";
import type { Conflict, SavedTexts } from "./changed-fields.ts";
import { DraftChanges } from "./draft-changes.ts";

export interface FormDraft {
  /** The form's `ref`. */
  form: (element: HTMLFormElement | null) => (() => void) | undefined;
  /** The form's `key`: discarding a draft makes a new form. */
  key: number;
  /** Fields that the person has changed. */
  changed: number;
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
  /** Keeps the person's own text of a conflict, or takes the other person's. */
  choose: (name: string, choice: "mine" | "theirs") => void;
}

/**
 * Keeps the changes of a form, per address and tab, until they are saved or discarded; the other fields show
 * the saved values. The form's controls need names. Secrets, passwords and files are not kept. Show
 * `RestoredNote` above the form. `name` distinguishes several forms of one address; `saved` has the current
 * texts of the edited object.
 */
export function useDraft(name = "", saved?: SavedTexts): FormDraft {
  const [version, setVersion] = useState(0);
  const [is_restored, setRestored] = useState(false);
  const kept = useRef<DraftChanges | null>(null);
  const latest = useRef(saved);
  const { seen, look } = useSeen(kept);
  const form = useCallback(
    (element: HTMLFormElement | null) => {
      if (element === null) return undefined;
      const draft = new DraftChanges(element, draftKey(name), (field) => latest.current?.(field));
      kept.current = draft;
      setRestored(draft.has_changes);
      const end = draft.follow(look);
      look();
      return end;
    },
    [name, look],
  );
  useEffect(() => {
    latest.current = saved;
    look();
  });
  const clear = () => {
    kept.current?.forget();
    setRestored(false);
    look();
  };
  const send = () => {
    const forget = kept.current?.send();
    return () => {
      forget?.();
      setRestored(false);
      look();
    };
  };
  const isChanged = (field: string) => kept.current?.has(field) ?? false;
  const discard = () => {
    clear();
    setVersion((before) => before + 1);
  };
  const agreesWith = (now: SavedTexts) => {
    latest.current = now;
    look();
    return (kept.current?.conflicts ?? []).length === 0;
  };
  const choose = (of: string, choice: "mine" | "theirs") => {
    kept.current?.choose(of, choice);
    look();
  };
  const changedOf = <Fields extends object>(fields: Fields) => pick(fields, isChanged);
  const acts = { discard, clear, send, isChanged, changedOf, agreesWith, choose };
  return { form, key: version, ...seen, is_restored, ...acts };
}

/** The part of a draft that the page shows. `look` reads it again. */
function useSeen(kept: RefObject<DraftChanges | null>) {
  const [seen, setSeen] = useState<Pick<FormDraft, "changed" | "conflicts">>({ changed: 0, conflicts: [] });
  const look = useCallback(() => {
    const { count: changed = 0, conflicts = [] } = kept.current ?? {};
    const now = { changed, conflicts };
    setSeen((before) => (JSON.stringify(before) === JSON.stringify(now) ? before : now));
  }, [kept]);
  return { seen, look };
}

function pick<Fields extends object>(fields: Fields, accepts: (name: string) => boolean): Partial<Fields> {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => accepts(name))) as Partial<Fields>;
}
