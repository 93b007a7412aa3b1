import { readFile } from "node:fs/promises";
import { Missing, type Target } from "./attack.ts";
import { waitUntil } from "./request.ts";

export interface Mail {
  subject: string;
  text: string;
}

/** Waits for a mail to an address in the service's log. Null: none arrived. Throws `Missing` without a log. */
export async function awaitMail(
  target: Target,
  to: string,
  isWanted: (mail: Mail) => boolean = () => true,
): Promise<Mail | null> {
  let found: Mail | undefined;
  await waitUntil(target, async () => {
    found = (await mailsTo(target, to)).find(isWanted);
    return found !== undefined;
  });
  return found ?? null;
}

/** The code in a mail to an address: the only number of six digits. Throws if none arrives. */
export async function awaitCode(
  target: Target,
  to: string,
  isWanted: (code: string) => boolean = () => true,
): Promise<string> {
  const mail = await awaitMail(
    target,
    to,
    (arrived) => isWanted(codeOf(arrived) ?? "") && codeOf(arrived) !== null,
  );
  const code = mail === null ? null : codeOf(mail);
  if (code === null) {
    throw new Error(
      `no code for ${to} in the log; start the service with PUBLIC_URL, and without DATABASE_URL and SMTP_URL`,
    );
  }
  return code;
}

function codeOf({ subject, text }: Mail): string | null {
  return /\b\d{6}\b/.exec(`${subject}\n${text}`)?.[0] ?? null;
}

/** Mails in the log, oldest first. */
async function mailsTo({ log }: Target, to: string): Promise<Mail[]> {
  if (log === null) throw new Missing("--log");
  const lines = (await readFile(log, "utf8")).split("\n").filter((line) => line.includes(to));
  return lines.flatMap((line) => {
    const { to: recipients, subject, text } = parseLine(line);
    const is_mail = Array.isArray(recipients) && recipients.includes(to);
    return is_mail ? [{ subject: String(subject), text: String(text) }] : [];
  });
}

/** The start prints other lines than JSON, and the last line may not be complete yet. */
function parseLine(line: string): Record<string, unknown> {
  if (!line.startsWith("{") || !line.endsWith("}")) return {};
  return JSON.parse(line) as Record<string, unknown>;
}
