import { useCallback, useRef, useState } from "react";
import { controlsOf, isChanged, sameTexts, type Texts, textsOf } from "./controls.ts";

export interface ChangedCount {
  /** The form's `ref`. */
  form: (element: HTMLFormElement | null) => (() => void) | undefined;
  changed: number;
  /** Call it after the form was saved: the form's values become the saved ones. */
  saved: () => void;
  /** Makes the form as it was. */
  discard: () => void;
}

/** Counts the fields of a form, by name, that differ from the saved ones. The form's controls need names. */
export function useChangedCount(): ChangedCount {
  const [changed, setChanged] = useState(0);
  const element = useRef<HTMLFormElement | null>(null);
  const base = useRef<Texts>({});
  const form = useCallback((node: HTMLFormElement | null) => {
    element.current = node;
    if (node === null) return undefined;
    base.current = textsOf(controlsOf(node));
    const count = () => setChanged(changedIn(node, base.current));
    // A form is reset after the event.
    const countLater = () => queueMicrotask(count);
    node.addEventListener("input", count);
    node.addEventListener("reset", countLater);
    return () => {
      node.removeEventListener("input", count);
      node.removeEventListener("reset", countLater);
    };
  }, []);
  return {
    form,
    changed,
    saved: () => {
      if (element.current !== null) base.current = textsOf(controlsOf(element.current));
      setChanged(0);
    },
    discard: () => element.current?.reset(),
  };
}

/** Fields that the person has changed: a value that was read again is not their change. */
function changedIn(form: HTMLFormElement, base: Texts): number {
  const controls = controlsOf(form);
  const now = textsOf(controls);
  return Object.keys(now).filter(
    (name) =>
      !sameTexts(now[name] ?? [], base[name] ?? []) &&
      controls.some((control) => control.name === name && isChanged(control)),
  ).length;
}
