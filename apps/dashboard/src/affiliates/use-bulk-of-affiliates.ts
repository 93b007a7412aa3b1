import { type BulkChange, startBulkChange } from "../session/bulk-change.ts";
import { useSession } from "../session/session.tsx";

type Asked = Pick<BulkChange, "title" | "confirm"> & {
  send: (ids: string[]) => Promise<{ changed: number }>;
};

/** Changes more affiliates than one request may have. It cannot be undone as a whole: the undo that it returns does nothing. */
export function useBulkOfAffiliates(): (ids: readonly string[], change: Asked) => () => void {
  const { home } = useSession();
  return (ids, { send, ...change }) => {
    startBulkChange({
      ...change,
      ids,
      send: async (part) => (await send(part)).changed,
      pathOf: (id) => `${home}/affiliates/${id}`,
    });
    return () => {};
  };
}
