import { MIN_SEARCH_LENGTH } from "@findersfee/contract/search/limits";
import { useNavigation } from "@findersfee/ui/navigation";
import type { PaletteSearch } from "@findersfee/ui/overlays/items";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { useSession } from "../session/session.tsx";
import { texts } from "./texts.ts";

/** A request follows when the person has typed nothing for this time. */
const DEBOUNCE_MILLISECONDS = 120;

/** The records that the palette finds. A newer text cancels the request of the one before. */
export function useSearch(): PaletteSearch {
  const { api, organization, home } = useSession();
  const { navigate } = useNavigation();
  const [typed, setTyped] = useState("");
  const text = typed.trim();
  const settled = useSettled(text);
  const is_searched = text.length >= MIN_SEARCH_LENGTH;
  const { data, isFetching, isError } = useQuery({
    queryKey: [organization.id, "search", settled],
    queryFn: async ({ signal }) => {
      const [{ commandsOf }, found] = await Promise.all([
        import("./commands.ts"),
        api.dashboard.search.find.query({ text: settled }, { signal }),
      ]);
      return commandsOf(found);
    },
    enabled: is_searched && settled.length >= MIN_SEARCH_LENGTH,
    placeholderData: keepPreviousData,
    retry: false,
  });
  const is_searching = is_searched && (settled !== text || isFetching);
  return {
    placeholder: texts.placeholder,
    failure: texts.failure,
    onText: setTyped,
    state: !is_searched ? "idle" : is_searching ? "searching" : isError ? "failed" : "done",
    found:
      !is_searched || isError
        ? []
        : (data ?? []).map((command) => {
            const to = home + command.path;
            return { ...command, id: to, to, run: () => navigate(to) };
          }),
  };
}

/** A text once it has not changed for a moment; an empty one at once. */
function useSettled(text: string): string {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), text === "" ? 0 : DEBOUNCE_MILLISECONDS);
    return () => clearTimeout(timer);
  }, [text]);
  return settled;
}
