import { useRef } from "react";

const textOf = (value: unknown) =>
  JSON.stringify(typeof value === "object" && value !== null ? Object.entries(value).sort() : value);

/**
 * Finds what a person has changed in a form, which began with these fields. Only that is sent: the other fields may show what
 * somebody else has changed since.
 */
export function useChangedFields<Fields extends object>(fields: Fields) {
  const shown = useRef<Partial<Fields>>(fields);
  return {
    changedOf<Sent extends Partial<Fields>>(sent: Sent): Partial<Sent> {
      const changed = { ...sent };
      for (const name of Object.keys(sent) as (keyof Fields & keyof Sent)[]) {
        if (textOf(sent[name]) === textOf(shown.current[name])) delete changed[name];
      }
      return changed;
    },
    /** The form was saved, and still shows the values that it sent. */
    keep(sent: Partial<Fields>): void {
      shown.current = { ...shown.current, ...sent };
    },
  };
}
