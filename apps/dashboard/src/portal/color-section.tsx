import { controlClass } from "@findersfee/ui/components/controls";
import { Field } from "@findersfee/ui/components/field";
import { Section } from "@findersfee/ui/components/section";
import { lazyPart } from "@findersfee/ui/requests/lazy-part";
import { Suspense, useState } from "react";
import type { PortalSettings } from "./queries.ts";
import { texts } from "./texts.ts";

/** With the derivation of colors, they are too much for the first load of the page. */
const Guard = lazyPart(() => import("./guard.tsx"), "Guard");
const Preview = lazyPart(() => import("./preview.tsx"), "Preview");

const COLOR = /^#[0-9a-f]{6}$/;

/** The typed color in the form that is saved; null while it is none. */
function colorOf(typed: string): string | null {
  const color = typed.trim().toLowerCase();
  return COLOR.test(color) ? color : null;
}

/**
 * The organization's color, its adjusted shades for surfaces where it would be unreadable, and the portal
 * with it.
 */
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
        <Suspense>{known !== null && <Guard color={known} />}</Suspense>
      </Section>
      <Suspense fallback={<div className="h-160" />}>
        <Preview look={look} color={known} />
      </Suspense>
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
