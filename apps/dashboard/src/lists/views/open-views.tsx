import type { ViewedList } from "@findersfee/contract/identity/viewed-lists";
import type { MenuItem } from "@findersfee/ui/overlays/items";
import { Menu } from "@findersfee/ui/overlays/menu";
import { useToast } from "@findersfee/ui/overlays/toast";
import { failureOf } from "@findersfee/ui/requests/failure";
import { lazyPart } from "@findersfee/ui/requests/lazy-part";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Bookmark } from "lucide-react";
import { Suspense, useState } from "react";
import { useSession } from "../../session/session.tsx";
import type { ListAddress } from "../use-list-address.ts";
import { type View, viewsKey, viewsQuery } from "./queries.ts";
import { views_texts as texts } from "./texts.ts";
import { changesTo, viewOf } from "./view-search.ts";

/** Loaded when it is opened. */
const ViewDialog = lazyPart(() => import("./view-dialog.tsx"), "ViewDialog");

export interface OpenViewsProps {
  list: ViewedList;
  address: Pick<ListAddress<never>, "search" | "change" | "clear" | "is_filtered">;
}

/** The person's views of a list: to show, save, rename and delete. Nothing while there is nothing to save or show. */
export function OpenViews({ list, address }: OpenViewsProps) {
  const session = useSession();
  const { saved_views } = session.api.dashboard;
  const { data: views = [] } = useQuery(viewsQuery(session, list));
  const [asking, setAsking] = useState<"save" | "rename" | null>(null);
  const remove = useDelete(list);
  const shown = viewOf(address.search);
  const current = views.find(({ search }) => search === shown);
  if (views.length === 0 && !address.is_filtered) return null;
  const items: MenuItem[] = [
    ...views.map(
      (view): MenuItem => ({
        kind: "choice",
        id: view.id,
        label: view.name,
        chosen: view === current,
        run: () =>
          view === current ? address.clear() : address.change(changesTo(view.search, address.search)),
      }),
    ),
    ...(views.length === 0 ? [] : [{ kind: "line", id: "line" } as const]),
    ...changesOf(current, {
      onSave: address.is_filtered ? () => setAsking("save") : undefined,
      onRename: () => setAsking("rename"),
      onDelete: remove,
      onClear: address.is_filtered ? address.clear : undefined,
    }),
  ];
  return (
    <>
      <Menu look="quiet" align="end" items={items} className="max-w-40">
        <Bookmark aria-hidden size={14} className="shrink-0" />
        <span className="truncate">{current?.name ?? texts.views}</span>
      </Menu>
      {asking !== null && (
        <Suspense>
          <ViewDialog
            name={asking === "rename" ? current?.name : undefined}
            onClose={() => setAsking(null)}
            run={(name) =>
              asking === "rename" && current !== undefined
                ? saved_views.rename.mutate({ id: current.id, name })
                : saved_views.create.mutate({ list, name, search: shown })
            }
          />
        </Suspense>
      )}
    </>
  );
}

interface ViewChanges {
  /** Undefined: there is nothing to save. */
  onSave: (() => void) | undefined;
  onRename: () => void;
  onDelete: (view: View) => void;
  onClear: (() => void) | undefined;
}

function changesOf(
  current: View | undefined,
  { onSave, onRename, onDelete, onClear }: ViewChanges,
): MenuItem[] {
  const all: MenuItem[] =
    onClear === undefined ? [] : [{ kind: "action", id: "all", label: texts.all, run: onClear }];
  if (current === undefined) {
    return onSave === undefined
      ? all
      : [{ kind: "action", id: "save", label: texts.save, run: onSave }, ...all];
  }
  return [
    { kind: "action", id: "rename", label: texts.rename(current.name), run: onRename },
    {
      kind: "action",
      id: "delete",
      label: texts.delete(current.name),
      danger: true,
      run: () => onDelete(current),
    },
    ...all,
  ];
}

/** Deletes a view, which the toast can undo. The rows stay as they are. */
function useDelete(list: ViewedList): (view: View) => void {
  const session = useSession();
  const client = useQueryClient();
  const toast = useToast();
  const { saved_views } = session.api.dashboard;
  const readAgain = () => client.invalidateQueries({ queryKey: viewsKey(session) });
  const onError = (error: Error) => toast({ text: failureOf(error).message, tone: "failed" });
  const restore = useMutation({
    mutationFn: ({ name, search }: View) => saved_views.create.mutate({ list, name, search }),
    onSuccess: readAgain,
    onError,
  });
  const { mutate } = useMutation({
    mutationFn: ({ id }: View) => saved_views.delete.mutate({ id }),
    onSuccess: (view) => {
      const undo = { label: texts.undo, run: () => restore.mutate(view) };
      toast({ text: texts.deleted(view.name), action: undo });
      return readAgain();
    },
    onError,
  });
  return (view) => mutate(view);
}
