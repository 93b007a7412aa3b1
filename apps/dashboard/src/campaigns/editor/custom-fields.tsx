import { Button, IconButton } from "@findersfee/ui/components/button";
import { Checkbox, SelectField, TextAreaField, TextField } from "@findersfee/ui/components/controls";
import { ArrowDown, ArrowUp, GripVertical, Plus, Trash2 } from "lucide-react";
import { type DragEvent, type RefObject, useRef, useState } from "react";
import { newKey } from "../../requests/new-key.ts";
import { type FieldDraft, type FieldType, hasOptions } from "./draft.ts";
import { texts } from "./form-texts.ts";

interface CustomFieldsProps {
  fields: readonly FieldDraft[];
  onChange: (fields: FieldDraft[]) => void;
  issueOf: (path: string) => string | undefined;
}

/** The form's questions. Dragging or the buttons change their order. */
export function CustomFields({ fields, onChange, issueOf }: CustomFieldsProps) {
  const [dragged, setDragged] = useState<string | null>(null);
  const [announcement, setAnnouncement] = useState("");
  const set = (key: string, part: Partial<FieldDraft>) =>
    onChange(fields.map((field) => (field.key === key ? { ...field, ...part } : field)));
  const move = (key: string, to: number) => {
    const field = fields.find((item) => item.key === key);
    if (field === undefined || to < 0 || to >= fields.length) return;
    const others = fields.filter((item) => item !== field);
    onChange([...others.slice(0, to), field, ...others.slice(to)]);
    setAnnouncement(texts.moved(field.label, to + 1));
  };
  const add = () =>
    onChange([...fields, { key: newKey(), id: null, label: "", type: "text", options: "", required: false }]);
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <p role="status" className="sr-only">
        {announcement}
      </p>
      {fields.length > 0 && (
        <ol className="grid grid-cols-[minmax(0,1fr)] gap-3">
          {fields.map((field, index) => (
            <Question
              key={field.key}
              field={field}
              index={index}
              count={fields.length}
              dragged={dragged}
              onDrag={setDragged}
              onDrop={(key) => move(key, index)}
              onMove={(to) => move(field.key, to)}
              onSet={(part) => set(field.key, part)}
              onDelete={() => onChange(fields.filter(({ key }) => key !== field.key))}
              issueOf={(name) => issueOf(`custom_fields[${index}].${name}`)}
            />
          ))}
        </ol>
      )}
      {fields.some(({ id }) => id !== null) && <p className="text-table text-muted">{texts.answers_stay}</p>}
      <div>
        <Button onClick={add}>
          <Plus aria-hidden size={14} />
          {texts.add_question}
        </Button>
      </div>
    </div>
  );
}

interface QuestionProps {
  field: FieldDraft;
  index: number;
  count: number;
  /** The question that is being dragged. */
  dragged: string | null;
  onDrag: (key: string | null) => void;
  onDrop: (key: string) => void;
  onMove: (to: number) => void;
  onSet: (part: Partial<FieldDraft>) => void;
  onDelete: () => void;
  issueOf: (name: string) => string | undefined;
}

function Question({ dragged, onDrag, onDrop, onSet, issueOf, ...bar }: QuestionProps) {
  const { field } = bar;
  const row = useRef<HTMLLIElement>(null);
  const { is_target, handlers } = useDropTarget({ key: field.key, dragged, onDrop });
  return (
    <li
      ref={row}
      {...handlers}
      className={`grid grid-cols-[minmax(0,1fr)] gap-4 rounded-card border p-3 ${is_target ? "border-accent bg-pick" : "border-line bg-page"}`}
    >
      <QuestionBar {...bar} row={row} onDrag={onDrag} />
      <div className="grid items-start gap-3 wide:grid-cols-[minmax(0,1fr)_176px]">
        <TextField
          label={texts.question}
          autoComplete="off"
          value={field.label}
          onChange={({ target }) => onSet({ label: target.value })}
          error={issueOf("label") ?? issueOf("id")}
        />
        <SelectField
          label={texts.type}
          value={field.type}
          onChange={({ target }) => onSet({ type: target.value as FieldType })}
          error={issueOf("type")}
        >
          {Object.entries(texts.types).map(([value, label]) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </SelectField>
      </div>
      {hasOptions(field.type) && (
        <TextAreaField
          label={texts.options}
          value={field.options}
          onChange={({ target }) => onSet({ options: target.value })}
          error={issueOf("options") ?? optionIssue(field, issueOf)}
        />
      )}
      <Checkbox
        label={texts.required}
        checked={field.required}
        onChange={({ target }) => onSet({ required: target.checked })}
      />
    </li>
  );
}

/** Accepts another question that is dragged onto this one. */
function useDropTarget({
  key,
  dragged,
  onDrop,
}: Pick<QuestionProps, "dragged" | "onDrop"> & { key: string }) {
  const [is_target, setTarget] = useState(false);
  const accept = (event: DragEvent) => {
    if (dragged === null || dragged === key) return;
    event.preventDefault();
    setTarget(true);
  };
  const leave = ({ currentTarget, relatedTarget }: DragEvent) => {
    // From one control of the row to another, the pointer does not leave it.
    if (!(relatedTarget instanceof Node && currentTarget.contains(relatedTarget))) setTarget(false);
  };
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setTarget(false);
    if (dragged !== null) onDrop(dragged);
  };
  return {
    is_target,
    handlers: { onDragEnter: accept, onDragOver: accept, onDragLeave: leave, onDrop: drop },
  };
}

interface QuestionBarProps
  extends Pick<QuestionProps, "field" | "index" | "count" | "onDrag" | "onMove" | "onDelete"> {
  /** The element that the pointer drags. */
  row: RefObject<HTMLLIElement | null>;
}

/** The number of a question, its handle, and the buttons that move and delete it. */
function QuestionBar({ field, index, count, row, onDrag, onMove, onDelete }: QuestionBarProps) {
  return (
    <div className="flex items-center gap-1">
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the buttons beside it do the same for the keyboard */}
      <span
        title={texts.drag(field.label)}
        // Only the handle: text in the fields is selected by dragging, too.
        draggable
        onDragStart={(event) => {
          event.dataTransfer.effectAllowed = "move";
          event.dataTransfer.setData("text/plain", field.label);
          if (row.current !== null) event.dataTransfer.setDragImage(row.current, 16, 16);
          onDrag(field.key);
        }}
        onDragEnd={() => onDrag(null)}
        className="-ml-2 grid size-8 shrink-0 cursor-grab place-items-center text-muted max-wide:size-11 max-wide:-ml-3"
      >
        <GripVertical aria-hidden size={15} />
      </span>
      <span className="min-w-0 flex-1 truncate text-table text-muted">
        {texts.question_number(index + 1)}
      </span>
      <IconButton
        label={texts.up(field.label)}
        disabled={index === 0}
        onClick={() => onMove(index - 1)}
        className="disabled:text-rule"
      >
        <ArrowUp aria-hidden size={15} />
      </IconButton>
      <IconButton
        label={texts.down(field.label)}
        disabled={index === count - 1}
        onClick={() => onMove(index + 1)}
        className="disabled:text-rule"
      >
        <ArrowDown aria-hidden size={15} />
      </IconButton>
      <IconButton label={texts.delete(field.label)} onClick={onDelete}>
        <Trash2 aria-hidden size={15} />
      </IconButton>
    </div>
  );
}

/** The issue of the first choice that has one. */
function optionIssue(
  { options }: FieldDraft,
  issueOf: (name: string) => string | undefined,
): string | undefined {
  return options
    .split("\n")
    .map((_, index) => issueOf(`options[${index}]`))
    .find((issue) => issue !== undefined);
}
