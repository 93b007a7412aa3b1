// biome-ignore lint/style/noRestrictedImports: this is the part that waits.
import { type ComponentType, type LazyExoticComponent, lazy } from "react";
import { whenOnline } from "./use-online.ts";

/** A component with properties of any kind, as React takes it. */
type Part =
  ReturnType<Parameters<typeof lazy>[0]> extends Promise<{ default: infer Component }>
    ? Component
    : ComponentType;

type PartOf<Module, Name extends keyof Module> = Extract<Module[Name], Part>;

/**
 * A component that loads its code once it is shown, and only while there is a network: React keeps a failed
 * load, and would never show the component. `load` imports the module; `name` is the export that has the
 * component.
 */
export function lazyPart<Module, Name extends keyof Module>(
  load: () => Promise<Module>,
  name: Name,
): LazyExoticComponent<PartOf<Module, Name>> {
  return lazy(async () => {
    await whenOnline();
    return { default: (await load())[name] as PartOf<Module, Name> };
  });
}
