import { useCallback, useRef, useState } from "react";
import { type Draft, deleteDraft, draftKey, readDraft, writeDraft } from "./draft-store.ts";

type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

/** Of these nothing is kept. */
const SECRET_TYPES = ["password", "file", "hidden"];

export interface FormDraft {
  /** The form's `ref`. */
  form: (element: HTMLFormElement | null) => (() => void) | undefined;
  /** The form's `key`: discarding a draft makes the form anew. */
  key: number;
  /** Whether the form shows a draft from before the page was loaded again. */
  is_restored: boolean;
  /** Forgets the draft, and empties the form. */
  discard: () => void;
  /** Forgets the draft after it was saved. */
  clear: () => void;
}

/**
 * Keeps a form's draft, per address and tab, until it is saved or discarded. The form's controls need names;
 * passwords and files are not kept. Show `RestoredNote` above the form. `name` tells apart several forms of one address.
 */
export function useDraft(name = ""): FormDraft {
  const [version, setVersion] = useState(0);
  const [is_restored, setRestored] = useState(false);
  const latest = useRef("");
  const form = useCallback(
    (element: HTMLFormElement | null) => {
      if (element === null) return undefined;
      const key = draftKey(name);
      latest.current = key;
      const draft = readDraft(key);
      if (draft !== null) {
        restore(element, draft);
        setRestored(true);
      }
      const keep = () => writeDraft(key, draftOf(element));
      element.addEventListener("input", keep);
      return () => element.removeEventListener("input", keep);
    },
    [name],
  );
  const clear = useCallback(() => {
    deleteDraft(latest.current);
    setRestored(false);
  }, []);
  const discard = useCallback(() => {
    clear();
    setVersion((before) => before + 1);
  }, [clear]);
  return { form, key: version, is_restored, discard, clear };
}

function controlsOf(form: HTMLFormElement): Control[] {
  return [...form.elements].filter(
    (element): element is Control =>
      (element instanceof HTMLInputElement ||
        element instanceof HTMLSelectElement ||
        element instanceof HTMLTextAreaElement) &&
      element.name !== "" &&
      !SECRET_TYPES.includes(element.type),
  );
}

function draftOf(form: HTMLFormElement): Draft {
  const draft: Draft = {};
  for (const control of controlsOf(form)) {
    const values = draft[control.name] ?? [];
    draft[control.name] = isChoice(control) && !control.checked ? values : [...values, control.value];
  }
  return draft;
}

function restore(form: HTMLFormElement, draft: Draft): void {
  const left: Draft = structuredClone(draft);
  for (const control of controlsOf(form)) {
    const values = left[control.name];
    if (values === undefined) continue;
    if (isChoice(control)) {
      // A click is the one change of a checkbox or radio button that React notices.
      if (control.checked !== values.includes(control.value)) control.click();
    } else type(control, values.shift() ?? "");
  }
}

function isChoice(control: Control): control is HTMLInputElement {
  return control.type === "checkbox" || control.type === "radio";
}

/** Sets a value as if it was typed: React overwrites `value` of each element, and ignores changes made through it. */
function type(control: Control, value: string): void {
  if (control.value === value) return;
  const prototype = Object.getPrototypeOf(control) as Control;
  Object.getOwnPropertyDescriptor(prototype, "value")?.set?.call(control, value);
  control.dispatchEvent(
    new Event(control instanceof HTMLSelectElement ? "change" : "input", { bubbles: true }),
  );
}
