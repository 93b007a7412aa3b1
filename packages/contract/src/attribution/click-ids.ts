/** The tracker's ids are UUIDs of version 7. */
const CLICK_ID = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i;

/** Whether a text has the form of the tracker's click ids. */
export function isClickId(text: string): boolean {
  return CLICK_ID.test(text);
}

/** A reference of a checkout that was meant as a click id and has another form; null: there is none. */
export function wrongReferenceIn(
  candidates: readonly { source: string; reference: string; result: string }[],
): string | null {
  const wrong = candidates.find(
    ({ source, reference, result }) =>
      source === "click" && result === "unknown_click" && !isClickId(reference),
  );
  return wrong?.reference ?? null;
}

/** Explains the mistake and its remedy. */
export function explainWrongReference(reference: string): string {
  return `The checkout's reference ${reference} is not a click id. Pass the tracker's click id as the checkout's reference, or in its metadata.`;
}
