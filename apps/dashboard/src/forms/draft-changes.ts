import { deleteDraft, writeDraft } from "@findersfee/ui/forms/draft-store";
import {
  type ChangedFields,
  type Conflict,
  changedField,
  conflictsIn,
  readChangedFields,
  type SavedTexts,
} from "./changed-fields.ts";
import { controlsOf, isControl, setTexts, type Texts, textsOf } from "./controls.ts";
import { isSecret } from "./secrets.ts";

/** The draft of one form while the form is shown. */
export class DraftChanges {
  readonly #form: HTMLFormElement;
  readonly #key: string;
  readonly #saved: SavedTexts;
  /** The texts of a form for something new. */
  readonly #initial: Texts;
  #changed: ChangedFields;

  constructor(form: HTMLFormElement, key: string, saved: SavedTexts) {
    this.#form = form;
    this.#key = key;
    this.#saved = saved;
    this.#initial = textsOf(controlsOf(form));
    this.#changed = readChangedFields(key, saved);
  }

  get has_changes(): boolean {
    return this.count > 0;
  }

  /** Fields that the person has changed. */
  get count(): number {
    return Object.keys(this.#changed).length;
  }

  get conflicts(): Conflict[] {
    return conflictsIn(this.#form, this.#changed, this.#saved);
  }

  /** Restores the draft, and keeps the person's changes from now on. Returns the function that ends it. */
  follow(onChange: () => void): () => void {
    const late = this.#restore(new Set(Object.keys(this.#changed)));
    // Fields that depend on another one, and options that are loaded, appear later.
    const appeared = new MutationObserver(() => this.#restore(late));
    appeared.observe(this.#form, { childList: true, subtree: true });
    const keep = ({ target }: Event) => {
      if (!isControl(target) || target.name === "") return;
      late.delete(target.name);
      this.#keep(target.name);
      onChange();
    };
    this.#form.addEventListener("input", keep);
    return () => {
      appeared.disconnect();
      this.#form.removeEventListener("input", keep);
    };
  }

  choose(name: string, choice: "mine" | "theirs"): void {
    const theirs = this.#saved(name);
    const own = this.#changed[name];
    if (theirs === undefined || own === undefined) return;
    const { [name]: _own, ...others } = this.#changed;
    this.#changed = choice === "mine" ? { ...others, [name]: { ...own, before: theirs } } : others;
    if (choice === "theirs") setTexts(controlsOf(this.#form, name), theirs);
    this.#write();
  }

  /** Whether the person has changed the field of this name. */
  has(name: string): boolean {
    return this.#changed[name] !== undefined;
  }

  forget(): void {
    this.#changed = {};
    this.#write();
  }

  /**
   * Returns the function that deletes the form's present changes from the draft. Changes that the person
   * types until then stay.
   */
  send(): () => void {
    const sent = this.#changed;
    return () => {
      const later = Object.entries(this.#changed).filter(([name, field]) => field !== sent[name]);
      this.#changed = Object.fromEntries(
        later.map(([name, { texts, before }]) => [name, { texts, before: sent[name]?.texts ?? before }]),
      );
      this.#write();
    };
  }

  #restore(names: Set<string>): Set<string> {
    for (const name of names) {
      const texts = this.#changed[name]?.texts;
      if (texts === undefined || setTexts(controlsOf(this.#form, name), texts)) names.delete(name);
    }
    return names;
  }

  #keep(name: string): void {
    const controls = controlsOf(this.#form, name);
    const texts = textsOf(controls)[name] ?? [];
    const base = this.#saved(name) ?? this.#initial[name];
    const { [name]: earlier, ...others } = this.#changed;
    const field = changedField({ texts, base }, earlier);
    this.#changed = field === null ? others : { ...others, [name]: field };
    this.#write();
  }

  #write(): void {
    const kept = Object.entries(this.#changed).filter(
      ([name]) => !controlsOf(this.#form, name).some(isSecret),
    );
    if (kept.length > 0) writeDraft(this.#key, Object.fromEntries(kept));
    else deleteDraft(this.#key);
  }
}
