import { MAX_COUNTED_ROWS } from "@findersfee/contract/counted-rows";
import type { MatchingRows, RowCount } from "@findersfee/contract/row-pages";
import { Button } from "@findersfee/ui/components/button";
import type { Selection } from "@findersfee/ui/lists/selection";
import { useToast } from "@findersfee/ui/overlays/toast";
import { failureOf } from "@findersfee/ui/requests/failure";
import { useMutation, useQuery } from "@tanstack/react-query";
import type { CountQuery } from "./count-query.ts";
import { selection_texts } from "./selection-texts.ts";

export type MatchingRow = MatchingRows["data"][number];

export interface SelectionOfferProps {
  selection: Selection;
  /** The number of rows that match the filters. */
  count: CountQuery;
  /** The rows that match the filters now. Rows that come later are not selected. */
  load: () => Promise<MatchingRows>;
  canSelect: (row: MatchingRow) => boolean;
  onReach: (rows: readonly MatchingRow[]) => void;
}

/** The button that selects all rows that match the filters, once all rows of the page are selected. */
export function SelectionOffer({ selection, count, load, canSelect, onReach }: SelectionOfferProps) {
  const { data } = useQuery(count);
  const toast = useToast();
  const { mutate, isPending } = useMutation({
    mutationFn: load,
    onSuccess: ({ data: matching }) => {
      const rows = matching.filter(canSelect);
      onReach(rows);
      const left_out = matching.length - rows.length;
      if (left_out > 0) toast({ text: selection_texts.not_selectable(left_out) });
    },
    onError: (error) => toast({ text: failureOf(error).message, tone: "failed" }),
  });
  if (selection.is_beyond) {
    return (
      <Button look="quiet" onClick={() => selection.set([])}>
        {selection_texts.clear}
      </Button>
    );
  }
  if (data === undefined || isAll(data, selection.keys.length)) return null;
  return (
    <Button look="quiet" busy={isPending} onClick={() => mutate()}>
      {labelOf(data)}
    </Button>
  );
}

function isAll({ count, has_more }: RowCount, selected: number): boolean {
  return count !== null && !has_more && count <= selected;
}

function labelOf({ count, has_more }: RowCount): string {
  if (count === null) return selection_texts.all;
  return has_more ? selection_texts.first(MAX_COUNTED_ROWS) : selection_texts.matching(count);
}
