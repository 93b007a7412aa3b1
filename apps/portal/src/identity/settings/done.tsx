import { Check } from "lucide-react";

/** Says beside a button that its change is stored. */
export function Done({ text }: { text: string | null }) {
  return (
    <span role="status" className="inline-flex items-center gap-1.5 text-table text-good">
      {text !== null && (
        <>
          <Check aria-hidden size={16} className="shrink-0" />
          {text}
        </>
      )}
    </span>
  );
}
