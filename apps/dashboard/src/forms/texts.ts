import { formatCount } from "@findersfee/ui/formats/counts";

export const texts = {
  cancel: "Cancel",
  save: "Save changes",
  saved: "Saved",
  discard: "Discard",
  unsaved: (count: number) => (count === 1 ? "1 unsaved change" : `${formatCount(count)} unsaved changes`),
  of_line: (line: number, message: string) => `Line ${line}: ${message}`,
  of_currency: (currency: string, message: string) => `${currency}: ${message}`,
  conflict: "Someone else changed this, too",
  conflict_hint: "Their values are below. Nothing is saved until you choose.",
  keep_mine: "Keep mine",
  use_theirs: "Use theirs",
  choice_of: (choice: string, label: string) => `${choice}: ${label}`,
  empty: "empty",
  checked: "selected",
  not_checked: "not selected",
  leave_title: "Leave without saving?",
  stay: "Keep editing",
  leave: "Discard and leave",
};
