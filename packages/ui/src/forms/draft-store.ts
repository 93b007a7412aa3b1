/** All drafts are below this prefix in the storage of the tab. */
const PREFIX = "draft:";

/** The place of a draft: `name` separates several drafts of one address. */
export function draftKey(name: string, address = window.location.pathname): string {
  return `${PREFIX}${address}${name === "" ? "" : `#${name}`}`;
}

/** The draft that the person wrote in this tab, as it was written; null if there is none. */
export function readDraft(key: string): unknown {
  // biome-ignore lint/plugin/swallowed-failure: without storage, or with text of somebody else in it, there is no draft
  try {
    return JSON.parse(window.sessionStorage.getItem(key) ?? "null");
  } catch {
    return null;
  }
}

/** Without storage, or with a full one, the draft is not kept. */
export function writeDraft(key: string, draft: unknown): void {
  // biome-ignore lint/plugin/swallowed-failure: without storage, or with a full one, the draft is not kept
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

/**
 * Whether a person was signed in in this tab, and did not sign out: the session expired, or was ended
 * elsewhere.
 */
export function hasWriter(): boolean {
  // biome-ignore lint/plugin/swallowed-failure: without storage, nobody knows
  try {
    return window.sessionStorage.getItem(WRITER) !== null;
  } catch {
    return false;
  }
}

/** Deletes the drafts of another person. Their session ended without a sign-out in this tab. */
export function claimDrafts(user_id: string): void {
  if (window.sessionStorage.getItem(WRITER) === user_id) return;
  deleteDrafts();
  // biome-ignore lint/plugin/swallowed-failure: without storage, there are no drafts to claim
  try {
    window.sessionStorage.setItem(WRITER, user_id);
  } catch {}
}
