import { formatCount } from "@findersfee/ui/formats/counts";

export const selection_texts = {
  matching: (count: number) => `Select all ${formatCount(count)}`,
  first: (count: number) => `Select the first ${formatCount(count)}`,
  all: "Select all matching",
  clear: "Clear selection",
  not_selectable: (count: number) =>
    count === 1 ? "1 row cannot be selected." : `${formatCount(count)} rows cannot be selected.`,
};
