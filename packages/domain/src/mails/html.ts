import type { Block, MailContent } from "./content.ts";
import { escapeHtml } from "./escape-html.ts";
import { plainLine, plainLines } from "./plain.ts";

const FONT = "font-family:-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif";

/** Colors are inline for mail programs that remove style sheets. The style sheet adds the dark theme. */
const STYLE = `
@media (prefers-color-scheme: dark) {
  .ground { background: #16181d !important; }
  .card { background: #22262e !important; border-color: #343a46 !important; }
  .text, .value { color: #e8eaed !important; }
  .faint, .label { color: #a5adba !important; }
  .quote { background: #2b303a !important; border-color: #6ea8fe !important; color: #e8eaed !important; }
  .row { border-color: #343a46 !important; }
  a { color: #8ab4f8 !important; }
}
@media (max-width: 480px) {
  .page { padding: 12px 8px !important; }
  .card { padding: 20px 18px !important; }
}`;

/** A mail as HTML. It loads nothing. */
export function mailHtml({ language = "en", subject, heading, blocks, footer }: MailContent): string {
  return `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${escapeLine(subject)}</title>
<style>:root { color-scheme: light dark; supported-color-schemes: light dark; }${STYLE}
</style>
</head>
<body class="ground" style="margin:0;padding:0;background:#f3f4f6">
<div class="ground page" style="background:#f3f4f6;padding:32px 16px;${FONT}">
<div class="card" style="max-width:520px;margin:0 auto;background:#ffffff;border:1px solid #e2e5ea;border-radius:10px;padding:28px 32px;box-sizing:border-box">
<h1 class="text" style="margin:0 0 16px;font-size:21px;line-height:1.3;color:#16181d;overflow-wrap:anywhere">${escapeLine(heading)}</h1>
${blocks.map(blockHtml).join("\n")}
</div>
<div style="max-width:520px;margin:0 auto;padding:16px 8px 0;box-sizing:border-box">
${footer.map(footerHtml).join("\n")}
</div>
</div>
</body>
</html>
`;
}

function blockHtml(block: Block): string {
  switch (block.kind) {
    case "paragraph":
      return `<p class="text" style="margin:0 0 14px;font-size:15px;line-height:1.55;color:#2a2e36;overflow-wrap:anywhere">${escapeLine(block.text)}</p>`;
    case "quote":
      return `<div class="quote" style="margin:0 0 16px;padding:12px 16px;border-left:3px solid #2563eb;background:#f5f7fb;color:#2a2e36;font-size:15px;line-height:1.55;overflow-wrap:anywhere">${quoteHtml(block.text)}</div>`;
    case "facts":
      return factsHtml(block.facts);
    case "list":
      return `<ul class="text" style="margin:0 0 14px;padding-left:20px;font-size:15px;line-height:1.55;color:#2a2e36;overflow-wrap:anywhere">${block.items.map((item) => `<li style="margin:0 0 6px">${escapeLine(item)}</li>`).join("")}</ul>`;
    case "link":
      return `<p class="text" style="margin:0 0 14px;font-size:15px;line-height:1.55;color:#2a2e36;overflow-wrap:anywhere">${escapeLine(block.label)}: ${linkHtml(block.url, block.url)}</p>`;
  }
}

function factsHtml(facts: { label: string; value: string }[]): string {
  const rows = facts.map(
    ({ label, value }) => `<tr>
<td class="label row" style="padding:8px 16px 8px 0;border-top:1px solid #e2e5ea;color:#5b6472;font-size:14px;line-height:1.4;vertical-align:top;white-space:nowrap">${escapeLine(label)}</td>
<td class="value row" style="padding:8px 0;border-top:1px solid #e2e5ea;color:#16181d;font-size:14px;line-height:1.4;text-align:right;vertical-align:top;overflow-wrap:anywhere">${escapeLine(value)}</td>
</tr>`,
  );
  return `<table role="presentation" cellpadding="0" cellspacing="0" style="width:100%;margin:4px 0 16px;border-collapse:collapse">${rows.join("")}</table>`;
}

/** Small print below the rest; a link is reduced to its label. */
function footerHtml(block: Block): string {
  const words = block.kind === "link" ? linkHtml(block.url, block.label) : escapeLine(textOf(block));
  return `<p class="faint" style="margin:0 0 6px;font-size:12px;line-height:1.5;color:#5b6472;overflow-wrap:anywhere">${words}</p>`;
}

function textOf(block: Exclude<Block, { kind: "link" }>): string {
  switch (block.kind) {
    case "paragraph":
    case "quote":
      return block.text;
    case "facts":
      return block.facts.map(({ label, value }) => `${label}: ${value}`).join(" · ");
    case "list":
      return block.items.join(" · ");
  }
}

/** Only web URLs become links, so that no mail contains a script URL. */
function linkHtml(url: string, words: string): string {
  if (!/^https?:\/\//i.test(url)) return escapeLine(words);
  return `<a href="${escapeLine(url)}" style="color:#1d4ed8">${escapeLine(words)}</a>`;
}

function quoteHtml(text: string): string {
  return escapeHtml(plainLines(text)).replaceAll("\n", "<br>");
}

function escapeLine(text: string): string {
  return escapeHtml(plainLine(text));
}
