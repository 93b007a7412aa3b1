import { parseLightText, type TextBlock, type TextRun } from "../formats/light-text.ts";

/** A text that an organization wrote for its affiliates, with the light formatting of `parseLightText`. */
export function LightText({ text, className = "" }: { text: string; className?: string }) {
  return (
    <div className={`grid gap-3 [overflow-wrap:anywhere] ${className}`}>
      {parseLightText(text).map((block, index) => (
        <Block key={index} block={block} />
      ))}
    </div>
  );
}

function Block({ block }: { block: TextBlock }) {
  if (!("items" in block)) {
    const look = block.kind === "heading" ? "font-semibold" : "whitespace-pre-wrap [unicode-bidi:plaintext]";
    return (
      <p dir="auto" className={look}>
        <Runs runs={block.runs} />
      </p>
    );
  }
  const items = block.items.map((runs, index) => (
    <li key={index} dir="auto">
      <Runs runs={runs} />
    </li>
  ));
  return block.kind === "numbers" ? (
    <ol className="grid list-decimal gap-1 ps-6">{items}</ol>
  ) : (
    <ul className="grid list-disc gap-1 ps-5">{items}</ul>
  );
}

function Runs({ runs }: { runs: readonly TextRun[] }) {
  return runs.map((run, index) => <Run key={index} run={run} />);
}

function Run({ run: { text, href, is_strong, is_emphasized } }: { run: TextRun }) {
  const look = `${is_strong ? "font-semibold" : ""} ${is_emphasized ? "italic" : ""}`.trim();
  if (href !== null) {
    return (
      <a
        href={href}
        dir="ltr"
        target="_blank"
        rel="noopener nofollow"
        className={`text-accent underline underline-offset-2 ${look}`}
      >
        {text}
      </a>
    );
  }
  if (is_strong) return <strong className={look}>{text}</strong>;
  return is_emphasized ? <em>{text}</em> : text;
}
