import { OverrideSentence, type ShownOverride } from "./override-sentence.tsx";
import { Undoable } from "./undoable.tsx";

/** A person's decision about a payment, below its outcome. */
export function Overridden({ override }: { override: ShownOverride }) {
  return (
    <div className="basis-full border-t border-line pt-3">
      <Undoable override={override}>
        <OverrideSentence override={override} />
      </Undoable>
    </div>
  );
}
