/** Marks the buttons to which a form leads that cannot be saved yet. */
export const CHOICE = "data-choice";

/** Leads to the first choice that the form waits for. */
export function focusChoice(): void {
  document.querySelector<HTMLElement>(`[${CHOICE}]`)?.focus();
}
