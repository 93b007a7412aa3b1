import { texts } from "./texts.ts";

type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

/** The texts of controls by name; one name can have several. */
export type Texts = Record<string, readonly string[]>;

export function isControl(element: unknown): element is Control {
  return (
    element instanceof HTMLInputElement ||
    element instanceof HTMLSelectElement ||
    element instanceof HTMLTextAreaElement
  );
}

/** The controls of a form that have a name. */
export function controlsOf(form: HTMLFormElement, name?: string): Control[] {
  return [...form.elements].filter(
    (element): element is Control =>
      isControl(element) && element.name !== "" && (name === undefined || element.name === name),
  );
}

export function textsOf(controls: readonly Control[]): Texts {
  const texts: Record<string, string[]> = {};
  for (const control of controls) {
    const before = texts[control.name] ?? [];
    texts[control.name] = isChoice(control) && !control.checked ? before : [...before, control.value];
  }
  return texts;
}

/** Sets the controls of one name as if the person had done it. False: they are not all there yet. */
export function setTexts(controls: readonly Control[], texts: readonly string[]): boolean {
  if (controls.length === 0 || !controls.every((control, index) => canBe(control, texts[index] ?? ""))) {
    return false;
  }
  controls.forEach((control, index) => {
    if (isChoice(control)) {
      // A click is the one change of a checkbox or radio button that React notices.
      if (control.checked !== texts.includes(control.value)) control.click();
    } else type(control, texts[index] ?? "");
  });
  return true;
}

/** Whether a control differs from its initial value. */
export function isChanged(control: Control): boolean {
  if (control instanceof HTMLSelectElement) {
    return [...control.options].some(({ selected, defaultSelected }) => selected !== defaultSelected);
  }
  return isChoice(control)
    ? control.checked !== control.defaultChecked
    : control.value !== control.defaultValue;
}

export function sameTexts(some: readonly string[], others: readonly string[]): boolean {
  return some.length === others.length && some.every((text, index) => text === others[index]);
}

/** The label of a control. A radio button has the label of its question. */
export function labelOf(control: Control): string {
  const label =
    control.type === "radio" ? control.closest("fieldset")?.querySelector("legend") : control.labels?.[0];
  // Behind it, the label may say that the field is optional.
  return (label?.firstChild ?? label)?.textContent?.trim() ?? control.name;
}

/** How the controls of one name would show these saved texts. */
export function shownAs(controls: readonly Control[], saved: readonly string[]): string {
  if (controls.every(({ type }) => type === "checkbox")) {
    return saved.length > 0 ? texts.checked : texts.not_checked;
  }
  const shown = saved.map((text) => {
    const control = controls.find((one) => !isChoice(one) || one.value === text);
    if (control === undefined) return text;
    if (isChoice(control)) return control.labels?.[0]?.textContent?.trim() ?? text;
    return optionOf(control, text)?.textContent?.trim() ?? text;
  });
  return shown.join(", ") || texts.empty;
}

function isChoice(control: Control): control is HTMLInputElement {
  return control.type === "checkbox" || control.type === "radio";
}

function optionOf(control: Control, text: string): HTMLOptionElement | undefined {
  if (!(control instanceof HTMLSelectElement)) return undefined;
  return [...control.options].find(({ value }) => value === text);
}

/** The options of a list may still be loading. */
function canBe(control: Control, text: string): boolean {
  return !(control instanceof HTMLSelectElement) || optionOf(control, text) !== undefined;
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
