import type { Column } from "@findersfee/ui/lists/table";
import type { MenuItem } from "@findersfee/ui/overlays/items";
import { Menu } from "@findersfee/ui/overlays/menu";
import { Columns3 } from "lucide-react";
import type { ReactNode } from "react";
import { useSetPreferences } from "../session/preferences.ts";
import { useSession } from "../session/session.tsx";
import { texts } from "./texts.ts";

/**
 * The columns of a list that the person chose, and the menu that chooses them. The first column always stays. `name` is that of the
 * list in the person's preferences; without one, all columns are shown.
 */
export function useColumns<Row>(
  name: string | undefined,
  columns: readonly Column<Row>[],
): { shown: readonly Column<Row>[]; picker: ReactNode } {
  const { list_columns } = useSession().me.preferences;
  const setPreferences = useSetPreferences();
  if (name === undefined) return { shown: columns, picker: null };
  const [first, ...others] = columns;
  const chosen = list_columns[name];
  const isShown = ({ id, extra = false }: Column<Row>) => chosen?.includes(id) ?? !extra;
  const shown = others.filter(isShown).map(({ id }) => id);
  const items: MenuItem[] = others.map((column) => ({
    kind: "choice",
    id: column.id,
    label: column.header,
    chosen: isShown(column),
    stay: true,
    run: (show) => {
      const ids = show ? [...shown, column.id] : shown.filter((id) => id !== column.id);
      void setPreferences({ list_columns: { ...list_columns, [name]: ids } });
    },
  }));
  if (chosen !== undefined) {
    const { [name]: _, ...other_lists } = list_columns;
    const reset = () => void setPreferences({ list_columns: other_lists });
    items.push(
      { kind: "line", id: "line" },
      { kind: "action", id: "default", label: texts.default_columns, run: reset },
    );
  }
  const kept = others
    .filter((column) => isShown(column) || column.narrow !== undefined)
    .map((column) => (isShown(column) ? column : { ...column, phone_only: true }));
  return {
    shown: [...(first === undefined ? [] : [first]), ...kept],
    picker: (
      <span className="max-wide:hidden">
        <Menu look="quiet" label={texts.columns} items={items}>
          <Columns3 aria-hidden size={14} />
        </Menu>
      </span>
    ),
  };
}
