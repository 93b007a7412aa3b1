import type { PortalLanguage } from "@findersfee/contract/portal/join-paths";
import { draftKey, readDraft } from "@findersfee/ui/forms/draft-store";
import { useDraftValue } from "@findersfee/ui/forms/use-draft-value";
import { type Failure, failureOf } from "@findersfee/ui/requests/failure";
import { useQueryClient } from "@tanstack/react-query";
import { createContext, useContext, useMemo, useState } from "react";
import { type Session, useSession } from "../../session/session.tsx";
import {
  type CampaignDraft,
  changeOf,
  differing,
  draftOf,
  type EditedCampaign,
  rebase,
  type SettingName,
} from "./draft.ts";
import { editedQuery } from "./queries.ts";

/** The settings that others have saved while the person was editing. */
export interface OthersChange {
  by: string | null;
  at: string | null;
  /** Settings that changed, and whether the person has changed them, too. */
  settings: { name: SettingName; is_own: boolean }[];
}

export interface Editor {
  campaign: EditedCampaign["campaign"];
  /** Who can join it, and where. */
  portal: Pick<EditedCampaign, "campaign" | "joining" | "is_only_listed">;
  /** The language of the texts that the pages show. */
  shown: ShownLanguage;
  draft: CampaignDraft;
  /** Settings that differ from the saved ones. */
  changed: SettingName[];
  is_restored: boolean;
  others: OthersChange | null;
  failure: Failure | null;
  is_saving: boolean;
  saved_at: Date | null;
  set: (part: Partial<CampaignDraft>) => void;
  issueOf: (path: string) => string | undefined;
  save: () => Promise<void>;
  discard: () => void;
}

const EditorContext = createContext<Editor | null>(null);

export const EditorProvider = EditorContext.Provider;

export function useEditor(): Editor {
  const editor = useContext(EditorContext);
  if (editor === null) throw new Error("this page belongs into the editor of a campaign");
  return editor;
}

/** The languages of a campaign's texts, and the one that pages show. */
export interface ShownLanguage {
  /** The language of the campaign's own texts, and the languages of its translations. */
  own: PortalLanguage | null;
  further: PortalLanguage[];
  /** Null: the campaign's own texts. */
  language: PortalLanguage | null;
  show: (language: PortalLanguage | null) => void;
}

/**
 * The organization may have put another language first since the campaign's texts were written: one that the campaign has
 * translations for is not that of its own texts.
 */
function useShownLanguage({ languages }: EditedCampaign, { translations }: CampaignDraft): ShownLanguage {
  const [chosen, show] = useState<PortalLanguage | null>(null);
  const [first] = languages;
  const own = first === undefined || (translations?.[first] ?? null) !== null ? null : first;
  const further = languages.filter((language) => language !== own);
  const language = chosen !== null && further.includes(chosen) ? chosen : null;
  return { own, further, language, show };
}

interface Stored {
  base: EditedCampaign;
  draft: CampaignDraft;
}

/** A draft that a tab has from before there was a setting has the saved one. */
const storedDraft = ({ base, draft }: Stored): CampaignDraft => ({ ...draftOf(base), ...draft });

/** The tabs of a campaign share its draft. */
const keyOf = (id: string) => draftKey("", `campaign ${id}`);

/**
 * Edits a campaign. The draft lives through its tabs and through a reload, and moves on top of changes that
 * others save in the meantime. Saving sends the settings that changed.
 */
export function useCampaignEditor(edited: EditedCampaign): Editor {
  const { id } = edited.campaign;
  const [stored] = useState(() => readDraft(keyOf(id)) as Stored | null);
  const [base, setBase] = useState(stored?.base ?? edited);
  const [draft, setDraft] = useState(() => (stored === null ? draftOf(edited) : storedDraft(stored)));
  const [is_restored, setRestored] = useState(stored !== null);
  const [others, setOthers] = useState<OthersChange | null>(null);
  const shown = useShownLanguage(edited, draft);
  const changed = differing(draft, draftOf(base));
  const is_dirty = changed.length > 0;

  useDraftValue(
    keyOf(id),
    useMemo((): Stored | null => (is_dirty ? { base, draft } : null), [base, draft, is_dirty]),
  );

  const { save, is_saving, saved_at, failure, clearFailure } = useSave({ base, draft }, (saved) => {
    setBase(saved);
    // Somebody who types on while it is saved loses nothing.
    setDraft((now) => rebase(now, draft, draftOf(saved)));
    setOthers(null);
    setRestored(false);
  });

  // Somebody else has saved: the draft moves on top of it, and nothing that was typed is lost.
  if (edited.version !== base.version && !is_saving) {
    const before = draftOf(base);
    const theirs = draftOf(edited);
    setBase(edited);
    setDraft(rebase(draft, before, theirs));
    const change = othersChange(edited, differing(theirs, before), changed);
    if (is_dirty && change !== null) setOthers(change);
  }

  return {
    campaign: base.campaign,
    portal: edited,
    shown,
    draft,
    changed,
    is_restored,
    others,
    failure,
    is_saving,
    saved_at,
    set: (part) => setDraft((now) => ({ ...now, ...part })),
    issueOf: (path) => failure?.issues.find((issue) => issue.path.replace(/^change\./, "") === path)?.message,
    save,
    discard: () => {
      setDraft(draftOf(base));
      setOthers(null);
      clearFailure();
      setRestored(false);
    },
  };
}

function othersChange(
  { changed }: EditedCampaign,
  settings: readonly SettingName[],
  own: readonly SettingName[],
): OthersChange | null {
  if (settings.length === 0) return null;
  return {
    by: changed?.by ?? null,
    at: changed?.at ?? null,
    settings: settings.map((name) => ({ name, is_own: own.includes(name) })),
  };
}

/** Sends the changed settings. If somebody else has saved before, it reads the campaign again. */
function useSave({ base, draft }: Stored, onSaved: (saved: EditedCampaign) => void) {
  const session = useSession();
  const client = useQueryClient();
  const { id } = base.campaign;
  const [failure, setFailure] = useState<Failure | null>(null);
  const [is_saving, setSaving] = useState(false);
  const [saved_at, setSavedAt] = useState<Date | null>(null);

  const save = async () => {
    setSaving(true);
    setFailure(null);
    try {
      const saved = await send(session, {
        id,
        version: base.version,
        change: changeOf(draft, draftOf(base)),
      });
      client.setQueryData(editedQuery(session, id).queryKey, saved);
      onSaved(saved);
      setSavedAt(new Date());
      void client.invalidateQueries({ queryKey: [session.organization.id, "campaigns"] });
    } catch (error) {
      const failed = failureOf(error);
      if (failed.code === "campaign_changed") {
        await client.refetchQueries({ queryKey: editedQuery(session, id).queryKey });
      } else setFailure(failed);
    } finally {
      setSaving(false);
    }
  };

  return { save, is_saving, saved_at, failure, clearFailure: () => setFailure(null) };
}

async function send(
  { api }: Session,
  { id, version, change }: { id: string; version: string; change: ReturnType<typeof changeOf> },
) {
  return await api.dashboard.campaigns.update.mutate({ version, change: { id, ...change } });
}
