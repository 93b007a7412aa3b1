import { useEffect, useState } from "react";
import { deleteDraft, draftKey, readDraft, writeDraft } from "./draft-store.ts";

/** Keeps a value through a reload of the page, until it is null. */
export function useDraftValue(key: string, value: unknown): void {
  useEffect(() => {
    if (value === null) deleteDraft(key);
    else writeDraft(key, value);
  }, [key, value]);
}

export interface DraftState<Value> {
  value: Value;
  set: (part: Partial<Value>) => void;
  /** Whether the person has changed it. */
  is_dirty: boolean;
  /** Whether it is from before the page was loaded again. */
  is_restored: boolean;
  discard: () => void;
  /** Forgets the draft once it was saved. */
  clear: () => void;
}

/**
 * State that lives through a reload of the page while it differs from the initial one. `name` distinguishes
 * several states of one address.
 */
export function useDraftState<Value extends object>({
  name = "",
  initial,
  differs,
}: {
  name?: string;
  initial: Value;
  differs: (value: Value) => boolean;
}): DraftState<Value> {
  // While the person leaves the page, the address is already the next page's.
  const [key] = useState(() => draftKey(name));
  const [stored] = useState(() => readDraft(key) as Partial<Value> | null);
  const [value, setValue] = useState<Value>({ ...initial, ...stored });
  const [is_restored, setRestored] = useState(stored !== null);
  const is_dirty = differs(value);
  useDraftValue(key, is_dirty ? value : null);
  return {
    value,
    set: (part) => setValue((now) => ({ ...now, ...part })),
    is_dirty,
    is_restored,
    discard: () => {
      setValue(initial);
      setRestored(false);
    },
    clear: () => deleteDraft(key),
  };
}
