export interface SegmentsProps<Value extends string> {
  label: string;
  segments: readonly { value: Value; label: string }[];
  chosen: Value;
  onChoose: (value: Value) => void;
}

/** A choice among two or three words, all of them visible. */
export function Segments<Value extends string>({ label, segments, chosen, onChoose }: SegmentsProps<Value>) {
  return (
    <fieldset aria-label={label} className="inline-flex rounded-control border border-rule bg-raised p-px">
      {segments.map((segment) => (
        <button
          key={segment.value}
          type="button"
          aria-pressed={segment.value === chosen}
          onClick={() => onChoose(segment.value)}
          className="h-7 rounded-[5px] px-2.5 text-table whitespace-nowrap text-muted hover:text-ink aria-pressed:bg-hover aria-pressed:font-medium aria-pressed:text-ink max-wide:h-10"
        >
          {segment.label}
        </button>
      ))}
    </fieldset>
  );
}
