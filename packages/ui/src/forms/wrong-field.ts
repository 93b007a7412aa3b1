/** A control that the service, or the form, refused: `Field` and `Combobox` mark it. */
const WRONG = ":is([aria-invalid='true'], [data-invalid='true']):not(:disabled)";

/** Scrolls to the first refused control of a form or page, and moves the focus there. False: there is none. */
export function focusWrongField(root: ParentNode): boolean {
  const control = root.querySelector<HTMLElement>(WRONG);
  if (control === null) return false;
  // At the edge of the window, the bar that saves the form would cover it.
  control.scrollIntoView({ block: "center" });
  control.focus({ preventScroll: true });
  return true;
}

/** Leads to the first wrong field of each form of the document that was sent and came back, until the person types in it or sends again. */
export function followWrongFields(document: Document): void {
  let end = () => {};
  const follow = ({ target: form }: Event) => {
    end();
    if (!(form instanceof HTMLFormElement)) return;
    const observer = new MutationObserver(() => {
      if (focusWrongField(form)) end();
    });
    observer.observe(form, {
      subtree: true,
      childList: true,
      attributeFilter: ["aria-invalid", "data-invalid"],
    });
    form.addEventListener("input", () => end(), { once: true });
    // A form that checks itself can mark the same field again, which changes nothing in the document.
    const checked = requestAnimationFrame(() => focusWrongField(form));
    end = () => {
      observer.disconnect();
      cancelAnimationFrame(checked);
    };
  };
  document.addEventListener("submit", follow, { capture: true });
}
