import { brandColors } from "@findersfee/contract/portal/brand-colors";
import { controlClass } from "@findersfee/ui/components/controls";
import { Field } from "@findersfee/ui/components/field";
import { Section } from "@findersfee/ui/components/section";
import { useState } from "react";
import { Preview } from "./preview.tsx";
import type { PortalSettings } from "./queries.ts";
import { texts } from "./texts.ts";

const COLOR = /^#[0-9a-f]{6}$/;

/** The typed color in the form that is saved; null while it is none. */
function colorOf(typed: string): string | null {
  const color = typed.trim().toLowerCase();
  return COLOR.test(color) ? color : null;
}

/** The organization's color, what becomes of it where it cannot be read, and the portal with it. */
export function ColorSection({ look, error }: { look: PortalSettings["look"]; error: string | undefined }) {
  // The control is React's only at first: its draft changes it before React sees the change.
  const [typed, setTyped] = useState(look.brand_color ?? "");
  const known = colorOf(typed);
  return (
    <>
      <Section title={texts.color} hint={texts.color_hint}>
        <Field label={texts.brand_color} optional hint={texts.brand_color_hint} error={error}>
          {(control) => (
            <span className="flex items-center gap-2">
              <input
                type="color"
                aria-label={texts.pick}
                title={texts.pick}
                value={known ?? "#0b6b53"}
                onChange={({ target }) => typeInto(control.id, target.value)}
                className="size-8 shrink-0 rounded-control border border-edge bg-page p-0.5 max-wide:size-11"
              />
              <input
                {...control}
                type="text"
                name="brand_color"
                dir="ltr"
                autoComplete="off"
                spellCheck={false}
                maxLength={7}
                defaultValue={look.brand_color ?? ""}
                onInput={({ currentTarget }) => setTyped(currentTarget.value)}
                className={`${controlClass} max-w-40 font-mono`}
              />
            </span>
          )}
        </Field>
        {known !== null && <Guard color={known} />}
      </Section>
      <Preview look={look} color={known} />
    </>
  );
}

/** Sets the text field as if the color was typed there, so that the draft of the form has it. */
function typeInto(id: string, color: string): void {
  const input = document.getElementById(id);
  if (!(input instanceof HTMLInputElement)) return;
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value")?.set?.call(input, color);
  input.dispatchEvent(new Event("input", { bubbles: true }));
}

const THEMES = ["light", "dark"] as const;

/** Which shades the portal uses in place of a color, and why. */
function Guard({ color }: { color: string }) {
  const derived = brandColors(color);
  const moved = THEMES.flatMap((theme) =>
    (["text", "lines"] as const).flatMap((part) => {
      const used = derived[theme][part === "text" ? "text" : "line"];
      return used === color ? [] : [{ theme, part, used }];
    }),
  );
  const on = derived.light.on_solid === "#ffffff" ? "white" : "black";
  return (
    <ul role="status" className="grid gap-1.5 text-table text-muted">
      <GuardLine color={color} text={texts.on_buttons(on)} />
      {moved.length === 0 && <GuardLine color={color} text={texts.fits} />}
      {moved.map(({ theme, part, used }) => (
        <GuardLine key={`${theme} ${part}`} color={used} text={texts.moved({ color, theme, part }, used)} />
      ))}
    </ul>
  );
}

function GuardLine({ color, text }: { color: string; text: string }) {
  return (
    <li className="flex items-start gap-2">
      <svg aria-hidden="true" viewBox="0 0 14 14" className="mt-[3px] size-3.5 shrink-0">
        <rect x="0.5" y="0.5" width="13" height="13" rx="3" fill={color} className="stroke-edge" />
      </svg>
      {text}
    </li>
  );
}
