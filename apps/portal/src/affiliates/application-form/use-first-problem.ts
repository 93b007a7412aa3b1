import { type RefObject, useLayoutEffect, useRef } from "react";

/** Moves the focus to the first marked field of a form, each time that `refused` changes. */
export function useFirstProblem(refused: number): RefObject<HTMLFormElement | null> {
  const form = useRef<HTMLFormElement>(null);
  useLayoutEffect(() => {
    if (refused === 0) return;
    form.current?.querySelector<HTMLElement>("[aria-invalid=true], [data-invalid] input")?.focus();
  }, [refused]);
  return form;
}
