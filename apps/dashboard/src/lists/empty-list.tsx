import { Button } from "@findersfee/ui/components/button";
import { Empty } from "@findersfee/ui/components/empty";
import type { LucideIcon } from "lucide-react";
import type { ReactNode } from "react";
import { texts } from "./texts.ts";
import type { ListAddress } from "./use-list-address.ts";

export interface EmptyListProps {
  icon: LucideIcon;
  /** Of a list that has never had rows, for example "Nobody has joined yet". */
  nothing_yet: string;
  hint: string;
  /** The first step towards rows. */
  action?: ReactNode;
  /** Of a filtered list, for example "No affiliate matches". */
  nothing_matches: string;
}

/** In place of rows: there are none yet, or none that match the filters. */
export function EmptyList<Name extends string>({
  address: { is_filtered, search, clear },
  icon,
  nothing_yet,
  hint,
  action,
  nothing_matches,
}: EmptyListProps & { address: ListAddress<Name> }) {
  if (!is_filtered) {
    return (
      <Empty icon={icon} title={nothing_yet} action={action}>
        {hint}
      </Empty>
    );
  }
  const text: string | undefined = search.text;
  const named = text === undefined ? "" : ` “${text}”`;
  return (
    <Empty title={`${nothing_matches}${named}`} action={<Button onClick={clear}>{texts.clear}</Button>} />
  );
}
