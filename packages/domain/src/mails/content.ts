import type { MailLanguage } from "./language.ts";
import { textsOf } from "./language.ts";

/** The content of a mail, shared by its text and HTML forms. All of it is plain text and untrusted. */
export interface MailContent {
  /** Default: English. */
  language?: MailLanguage;
  /** The organization that sends the mail; absent: the service does. */
  sender?: string;
  subject: string;
  heading: string;
  blocks: Block[];
  /** The reason for the mail, and how to unsubscribe. */
  footer: Block[];
}

/** Of a mail to owners and admins: all of these end alike. */
export type MemberMailContent = Omit<MailContent, "footer">;

export type Block =
  | { kind: "paragraph"; text: string }
  /** Quoted text with several lines. */
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

/** The facts that have a value. */
export function facts(entries: Record<string, string | null>): Block {
  const known = Object.entries(entries).flatMap(([label, value]) =>
    value === null || value === "" ? [] : [{ label, value }],
  );
  return { kind: "facts", facts: known };
}

const greetingIn = textsOf({
  en: (name: string) => (name === "" ? "Hello," : `Hello ${name},`),
  de: (name) => (name === "" ? "Guten Tag," : `Guten Tag ${name},`),
});

/** The start of every mail to a person with a name. */
export function greeting({ first_name }: { first_name: string }, language: MailLanguage = "en"): Block {
  return paragraph(greetingIn(language)(first_name.trim()));
}
