import { useQuery } from "@tanstack/react-query";
import { ChoiceChip } from "../lists/choice-chip.tsx";
import type { ListAddress } from "../lists/use-list-address.ts";
import { useSession } from "../session/session.tsx";
import { tagsQuery } from "./queries.ts";
import { texts } from "./texts.ts";

/** The filter by tag, for an organization that has some. */
export function TagChip<Name extends string>({ address }: { address: ListAddress<Name | "tag"> }) {
  const { data } = useQuery(tagsQuery(useSession()));
  const chosen = address.search.tag;
  const tags = new Set([...(data?.tags ?? []), ...(chosen === undefined ? [] : [chosen])]);
  if (tags.size === 0) return null;
  return (
    <ChoiceChip
      address={address}
      field="tag"
      name={texts.tag}
      values={[...tags].map((tag) => ({ value: tag, label: tag }))}
    />
  );
}
