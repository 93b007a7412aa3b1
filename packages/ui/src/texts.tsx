import { createContext, type ReactNode, useContext } from "react";
import { formatCount } from "./formats/counts.ts";

/** The texts of the components themselves. */
export interface Texts {
  /** The language of amounts. */
  locale: string;
  close: string;
  copy: string;
  copied: string;
  loading: string;
  newer: string;
  older: string;
  rows_per_page: string;
  select: string;
  end_selecting: string;
  select_all: string;
  select_row: (name: string) => string;
  selected: (count: number) => string;
  clear: string;
  search: string;
  nothing_matches: string;
  required: string;
  optional: string;
  show_table: string;
  show_chart: string;
  this_period: string;
  before: string;
  /** The note for a day, week or month that is not over. */
  so_far: string;
  more: string;
  less: string;
  menu: string;
  skip_to_content: string;
  skip_to_footer: string;
  show_password: string;
  hide_password: string;
  keys: string;
  retry: string;
  request_id: string;
  restored: string;
  discard: string;
}

export const ENGLISH: Texts = {
  locale: "en-US",
  close: "Close",
  copy: "Copy",
  copied: "Copied",
  loading: "Loading…",
  newer: "Newer",
  older: "Older",
  rows_per_page: "Rows per page",
  select: "Select",
  end_selecting: "Done",
  select_all: "Select all rows on this page",
  select_row: (name) => `Select ${name}`,
  selected: (count) => `${formatCount(count)} selected`,
  clear: "Clear",
  search: "Search",
  nothing_matches: "Nothing matches",
  required: "required",
  optional: "optional",
  show_table: "Table",
  show_chart: "Chart",
  this_period: "This period",
  before: "Previous period",
  so_far: "so far",
  more: "More",
  less: "Less",
  menu: "Menu",
  skip_to_content: "Skip to content",
  skip_to_footer: "Skip to the end of the list",
  show_password: "Show password",
  hide_password: "Hide password",
  keys: "Keyboard shortcuts",
  retry: "Try again",
  request_id: "Request",
  restored: "Restored",
  discard: "Discard",
};

const TextsContext = createContext<Texts>(ENGLISH);

/** Translates the texts of all components inside it. */
export function TextsProvider({ texts, children }: { texts: Texts; children: ReactNode }) {
  return <TextsContext value={texts}>{children}</TextsContext>;
}

export function useTexts(): Texts {
  return useContext(TextsContext);
}
