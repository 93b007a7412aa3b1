import { createHash } from "node:crypto";
import { escapeHtml } from "@findersfee/domain/mails/escape-html";
import { type MailLanguage, textsOf } from "@findersfee/domain/mails/language";
import type { Subscription } from "@findersfee/domain/mails/unsubscribe";

const STYLE = `
:root { color-scheme: light dark; }
body { margin: 0; padding: 48px 16px; background: #f3f4f6; color: #16181d;
  font: 16px/1.55 -apple-system, "Segoe UI", Roboto, Helvetica, Arial, sans-serif; }
main { max-width: 440px; margin: 0 auto; padding: 28px 32px; background: #fff; border: 1px solid #e2e5ea;
  border-radius: 10px; overflow-wrap: anywhere; }
h1 { margin: 0 0 12px; font-size: 21px; line-height: 1.3; }
p { margin: 0 0 20px; }
p:last-child { margin: 0; }
form { margin: 0; }
button { padding: 10px 18px; border: 0; border-radius: 8px; background: #1d4ed8; color: #fff; font: inherit;
  font-weight: 600; cursor: pointer; }
button:focus-visible { outline: 3px solid #93b4ff; outline-offset: 2px; }
@media (max-width: 480px) { body { padding: 16px 8px; } main { padding: 20px 18px; } }
@media (prefers-color-scheme: dark) {
  body { background: #16181d; color: #e8eaed; }
  main { background: #22262e; border-color: #343a46; }
  button { background: #8ab4f8; color: #16181d; }
}
`;

const STYLE_HASH = createHash("sha256").update(STYLE).digest("base64");

/** The page needs its own style and a form that posts to itself. */
export const PAGE_POLICY = `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`;

const textsIn = textsOf({
  en: {
    question: "Turn off referral notifications?",
    now: (organization: string, email: string) =>
      `${organization} emails ${email} when one of your referrals pays for the first time.`,
    turn_off: "Turn off these emails",
    done: "Referral notifications are off",
    stopped: (organization: string, email: string) =>
      `${organization} no longer emails ${email} when one of your referrals pays for the first time.`,
  },
  de: {
    question: "Benachrichtigungen über neue zahlende Kunden abbestellen?",
    now: (organization, email) =>
      `${organization} schreibt Ihnen an ${email}, wenn eine Ihrer Empfehlungen zum ersten Mal bezahlt.`,
    turn_off: "Diese E-Mails abbestellen",
    done: "Benachrichtigungen über neue zahlende Kunden sind abbestellt",
    stopped: (organization, email) =>
      `${organization} schreibt Ihnen an ${email} nicht mehr, wenn eine Ihrer Empfehlungen zum ersten Mal bezahlt.`,
  },
});

/** Asks for confirmation: link scanners open the link as well. */
export function unsubscribePage(subscription: Subscription): string {
  const { is_on, language } = subscription;
  const texts = wordsOf(subscription);
  return is_on
    ? page(
        language,
        texts.question,
        `<p>${texts.now}</p>
<form method="post"><button type="submit">${texts.turn_off}</button></form>`,
      )
    : page(language, texts.done, `<p>${texts.stopped}</p>`);
}

function wordsOf(
  subscription: Subscription,
): Record<"question" | "now" | "turn_off" | "done" | "stopped", string> {
  const organization = escapeHtml(subscription.organization_name);
  const account = escapeHtml(subscription.email);
  if (subscription.kind === "notifications") {
    const { what } = subscription;
    return {
      question: `Turn off ${what}?`,
      now: `${account} gets ${what} from ${organization}.`,
      turn_off: "Turn off these emails",
      done: "These emails are off",
      stopped: `${account} no longer gets ${what} from ${organization}. You can turn them on again in the organization's settings, under “Notifications”.`,
    };
  }
  const { question, now, turn_off, done, stopped } = textsIn(subscription.language);
  return {
    question,
    now: now(organization, account),
    turn_off,
    done,
    stopped: stopped(organization, account),
  };
}

function page(language: MailLanguage, heading: string, content: string): string {
  return `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${heading}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>${heading}</h1>
${content}
</main>
</body>
</html>
`;
}
