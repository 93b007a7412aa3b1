/** All drafts are below this prefix in the storage of the tab. */
const PREFIX = "draft:";

/** The texts of a form's controls by name; one name can have several. */
export type Draft = Record<string, string[]>;

/** The draft of an address, if the person wrote one in this tab. `name` tells apart several forms of one address. */
export function draftKey(name: string): string {
  return `${PREFIX}${window.location.pathname}${name === "" ? "" : `#${name}`}`;
}

export function readDraft(key: string): Draft | null {
  try {
    const draft: unknown = JSON.parse(window.sessionStorage.getItem(key) ?? "null");
    return isDraft(draft) ? draft : null;
  } catch {
    return null;
  }
}

function isDraft(value: unknown): value is Draft {
  if (typeof value !== "object" || value === null) return false;
  return Object.values(value).every(
    (texts) => Array.isArray(texts) && texts.every((text) => typeof text === "string"),
  );
}

/** Without storage, or with a full one, the draft is not kept. */
export function writeDraft(key: string, draft: Draft): void {
  try {
    window.sessionStorage.setItem(key, JSON.stringify(draft));
  } catch {}
}

export function deleteDraft(key: string): void {
  window.sessionStorage.removeItem(key);
}

/** Deletes all drafts of the tab: the next person at this computer must not see them. */
export function deleteDrafts(): void {
  for (const key of Object.keys(window.sessionStorage)) if (key.startsWith(PREFIX)) deleteDraft(key);
}

const WRITER = "drafts-of";

/** Deletes the drafts of another person. Their session ended without a sign-out in this tab. */
export function claimDrafts(user_id: string): void {
  if (window.sessionStorage.getItem(WRITER) === user_id) return;
  deleteDrafts();
  try {
    window.sessionStorage.setItem(WRITER, user_id);
  } catch {}
}
