import { Check, Copy as CopyIcon } from "lucide-react";
import { useEffect, useState } from "react";
import { shortId } from "../formats/ids.ts";
import { useTexts } from "../texts.tsx";
import { Button, IconButton } from "./button.tsx";

/** Milliseconds that the button says that it copied. */
const SAID_MILLISECONDS = 2000;

/** Writes to the clipboard; without access to it, as without TLS, through a selection. */
async function writeToClipboard(text: string): Promise<void> {
  if (navigator.clipboard !== undefined) return await navigator.clipboard.writeText(text);
  const area = document.createElement("textarea");
  area.value = text;
  area.className = "fixed opacity-0";
  (document.querySelector("dialog:modal") ?? document.body).append(area);
  area.select();
  document.execCommand("copy");
  area.remove();
  return undefined;
}

/** Copies a text: a button with a word, or an icon alone if `quiet`. */
export function CopyButton({
  text,
  label,
  quiet = false,
}: {
  text: string;
  label?: string;
  quiet?: boolean;
}) {
  const texts = useTexts();
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return undefined;
    const timer = setTimeout(() => setCopied(false), SAID_MILLISECONDS);
    return () => clearTimeout(timer);
  }, [copied]);
  const icon = copied ? <Check aria-hidden size={14} /> : <CopyIcon aria-hidden size={14} />;
  const shown = copied ? texts.copied : (label ?? texts.copy);
  const copy = async () => {
    await writeToClipboard(text);
    setCopied(true);
  };
  if (quiet) {
    return (
      <IconButton label={shown} shape="tiny" onClick={copy}>
        {icon}
      </IconButton>
    );
  }
  return (
    <Button onClick={copy}>
      {icon}
      {shown}
    </Button>
  );
}

/** An ID: its end, and the whole in the clipboard. */
export function ShortId({ id }: { id: string }) {
  return (
    <span className="inline-flex items-center gap-1 font-mono text-meta text-muted" title={id}>
      {shortId(id)}
      <CopyButton text={id} quiet />
    </span>
  );
}
