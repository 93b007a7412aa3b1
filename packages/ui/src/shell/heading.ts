import { type RefObject, useEffect, useLayoutEffect, useRef } from "react";
import { useMoved } from "../navigation.tsx";

/**
 * Names the tab, and moves the focus to the page's heading when the reader comes to it, so that screen readers begin there. Its
 * element needs `tabIndex={-1}`.
 */
export function useHeading(document_title: string): RefObject<HTMLHeadingElement | null> {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = document_title;
  }, [document_title]);
  const moved = useMoved();
  // Before the browser paints: later, it would take the focus away from a field that a person has come to.
  useLayoutEffect(() => {
    // The first page of a visit leaves the focus where the browser put it.
    if (moved.current) heading.current?.focus({ preventScroll: true });
  }, [moved]);
  return heading;
}
