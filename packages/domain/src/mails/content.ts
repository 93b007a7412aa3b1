/** What a mail says, once for both of its forms. Everything in it is plain text, whoever it came from. */
export interface MailContent {
  subject: string;
  heading: string;
  blocks: Block[];
  /** Why it came, and how to have no more of them. */
  footer: Block[];
}

export type Block =
  | { kind: "paragraph"; text: string }
  /** Words of somebody else, of several lines. */
  | { kind: "quote"; text: string }
  | { kind: "facts"; facts: Fact[] }
  | { kind: "list"; items: string[] }
  | { kind: "link"; label: string; url: string };

export interface Fact {
  label: string;
  value: string;
}

export function paragraph(text: string): Block {
  return { kind: "paragraph", text };
}

/** The facts that there are: those without a value are left out. */
export function facts(entries: Record<string, string | null>): Block {
  const known = Object.entries(entries).flatMap(([label, value]) =>
    value === null || value === "" ? [] : [{ label, value }],
  );
  return { kind: "facts", facts: known };
}

/** Beginning of every mail to an affiliate. */
export function greeting({ first_name }: { first_name: string }): Block {
  return paragraph(first_name.trim() === "" ? "Hello," : `Hello ${first_name},`);
}
