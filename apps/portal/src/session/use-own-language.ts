import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { useLanguage } from "../language/language.tsx";
import { portal } from "../requests/portal.ts";
import { type Me, meQuery } from "./session.tsx";

/**
 * Shows the language that the person has stored, also in a new browser, and stores the one that the person chooses: mails are
 * in it, too. Staff who view the portal choose only for themselves.
 */
export function useOwnLanguage({ email, language: stored, by_staff }: Me): void {
  const client = useQueryClient();
  const { language, chosen, showLanguage } = useLanguage();
  const shown_for = useRef<string | null>(null);
  useEffect(() => {
    // Once: an organization may offer other languages.
    if (shown_for.current === email) return;
    shown_for.current = email;
    if (chosen === null && stored !== null && stored !== language) void showLanguage(stored);
  }, [email, stored, language, chosen, showLanguage]);
  useEffect(() => {
    if (by_staff || chosen === null || chosen === stored) return;
    client.setQueryData<Me>(meQuery.queryKey, (me) => me && { ...me, language: chosen });
    // biome-ignore lint/plugin/swallowed-failure: the next visit stores it; the page is in the language either way
    portal.settings.set_language.mutate({ language: chosen }).catch(() => {});
  }, [client, chosen, stored, by_staff]);
}
