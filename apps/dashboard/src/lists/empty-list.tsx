import { Button, ButtonLink } from "@findersfee/ui/components/button";
import { Empty } from "@findersfee/ui/components/empty";
import type { LucideIcon } from "lucide-react";
import type { ReactNode } from "react";
import { texts } from "./texts.ts";
import type { ListAddress } from "./use-list-address.ts";

export interface EmptyListProps {
  icon: LucideIcon;
  /** The text of a list that has never had rows, for example "Nobody has joined yet". */
  nothing_yet: string;
  hint: string;
  /** The first step towards rows. */
  action?: ReactNode;
  /** The text of a filtered list, for example "No affiliate matches". */
  nothing_matches: string;
}

/** In place of rows: there are none yet, or none that match the filters. */
export function EmptyList<Name extends string>({
  address: { is_filtered, search, clear, hrefWith },
  icon,
  nothing_yet,
  hint,
  action,
  nothing_matches,
  older,
}: EmptyListProps & {
  address: ListAddress<Name>;
  /** The position from which a limited search continues; null: all rows were searched. */
  older: string | null;
}) {
  if (!is_filtered) {
    return (
      <Empty icon={icon} title={nothing_yet} action={action}>
        {hint}
      </Empty>
    );
  }
  const text: string | undefined = search.text;
  const named = text === undefined ? "" : ` “${text}”`;
  const title = `${nothing_matches}${named}`;
  const clear_button = <Button onClick={clear}>{texts.clear}</Button>;
  if (older === null) return <Empty title={title} action={clear_button} />;
  return (
    <Empty
      title={`${title} ${texts.among_newest}`}
      action={
        <span className="flex flex-wrap justify-center gap-2">
          <ButtonLink to={hrefWith({ after: older })} look="solid">
            {texts.search_older}
          </ButtonLink>
          {clear_button}
        </span>
      }
    />
  );
}
