import { formatCount } from "@findersfee/ui/formats/counts";
export const texts = {
  title: "Import affiliates",
  parent: "Affiliates",
  paste: "Paste rows from a spreadsheet or a CSV file",
  paste_hint: "The first row names the columns. Up to 10,000 rows. Nothing is imported until you confirm.",
  example: "email,first_name,last_name\njane@example.com,Jane,Doe",
  choose: "Choose a file…",
  drop: "or drop one here",
  read: "Continue",
  too_many: (count: number) => `These are ${formatCount(count)} rows. Import up to 10,000 at a time.`,
  too_few: "There are no rows below the column names.",
  not_utf8: (line: number) =>
    `Line ${formatCount(line)} is not UTF-8. Save the file as “CSV UTF-8”, and choose it again.`,
  unclosed: "A quotation mark is not closed. Close it, so the rows can be read.",
  columns: "Columns",
  columns_hint: "Match each column of your file to a field.",
  skip: "Skip",
  for_example: (value: string) => `such as ${value}`,
  no_email: "Choose the column with the email.",
  twice: "Two columns have the same field. Change one.",
  campaign: "Campaign",
  approved: "Approve all immediately",
  send_invitation: "Send an invitation to each",
  send_invitation_hint:
    "An email with a link to the portal. If they wait for approval, they get it when you approve them.",
  check: "Check rows",
  checking: (done: number, all: number) => `Checked ${formatCount(done)} of ${formatCount(all)}…`,
  lines: "Rows",
  outcomes: { wrong: "Invalid", new: "New", exists: "Exists" } as Record<string, string>,
  line: "Row",
  why: "Result",
  same_code: (field: string, line: number) => `${field}: Same as in row ${formatCount(line)}`,
  same_as: (line: number) => `Same email as row ${formatCount(line)}`,
  exists: "Already in this campaign",
  see: "Open",
  edit: (line: number) => `Row ${formatCount(line)}`,
  none_here: "No rows",
  page: (from: number, until: number, all: number) =>
    `${formatCount(from)}–${formatCount(until)} of ${formatCount(all)}`,
  previous: "Previous",
  next: "Next",
  import: (count: number) => `Import ${formatCount(count)}`,
  left_out: (wrong: number, exists: number) =>
    [
      wrong === 0 ? [] : `${formatCount(wrong)} invalid`,
      exists === 0 ? [] : `${formatCount(exists)} existing`,
    ]
      .flat()
      .join(" and "),
  are_left_out: (what: string) => `${what} will be skipped.`,
  started: "Import started. Its progress appears at the bottom right.",
  again: "Start over",
};
