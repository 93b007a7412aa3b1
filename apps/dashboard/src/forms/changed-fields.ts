import { draftKey, readDraft } from "@findersfee/ui/forms/draft-store";
import { controlsOf, labelOf, sameTexts, shownAs, type Texts } from "./controls.ts";

/** A field that the person has changed. */
export interface ChangedField {
  texts: readonly string[];
  /** The saved texts when the person changed it; null for a field of something new. */
  before: readonly string[] | null;
}

/** The fields that the person has changed, by name. */
export type ChangedFields = Record<string, ChangedField>;

/** A field that somebody else has changed, too. */
export interface Conflict {
  name: string;
  label: string;
  /** The value that the other person saved. */
  theirs: string;
}

/** The saved texts of a form's controls. Undefined: the service has no such field. */
export type SavedTexts = (name: string) => readonly string[] | undefined;

/** Reads the draft of a form, without fields that somebody else has changed to the same. */
export function readChangedFields(key: string, saved: SavedTexts): ChangedFields {
  const draft = readDraft(key);
  if (!isChangedFields(draft)) return {};
  return Object.fromEntries(
    Object.entries(draft).filter(([name, { texts }]) => {
      const theirs = saved(name);
      return theirs === undefined || !sameTexts(texts, theirs);
    }),
  );
}

/** The names of the fields in the draft of this address. */
export function draftedNames(name: string): string[] {
  const draft = readDraft(draftKey(name));
  return isChangedFields(draft) ? Object.keys(draft) : [];
}

function isChangedFields(value: unknown): value is ChangedFields {
  if (typeof value !== "object" || value === null) return false;
  return Object.values(value).every(
    (field) =>
      typeof field === "object" &&
      field !== null &&
      isTexts(field.texts) &&
      (field.before === null || isTexts(field.before)),
  );
}

function isTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every((text) => typeof text === "string");
}

/** The fields that both the person and somebody else have changed, and not to the same. */
export function conflictsIn(form: HTMLFormElement, changed: ChangedFields, saved: SavedTexts): Conflict[] {
  return Object.entries(changed).flatMap(([name, { texts, before }]) => {
    const theirs = saved(name);
    const controls = controlsOf(form, name);
    const [control] = controls;
    if (before === null || theirs === undefined || control === undefined) return [];
    if (sameTexts(theirs, before) || sameTexts(theirs, texts)) return [];
    return [{ name, label: labelOf(control), theirs: shownAs(controls, theirs) }];
  });
}

/** The stored change of a field that the person has just edited; null: it is as it was. */
export function changedField(
  { texts, base }: { texts: Texts[string]; base: Texts[string] | undefined },
  earlier: ChangedField | undefined,
): ChangedField | null {
  if (base !== undefined && sameTexts(texts, base)) return null;
  return { texts, before: earlier === undefined ? (base ?? null) : earlier.before };
}
