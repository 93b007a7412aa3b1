import { useTexts } from "../../language/language.tsx";

/** In place of content that arrives late. */
export function Loading() {
  const { frame } = useTexts();
  return (
    <p role="status" className="appear-late text-muted">
      {frame.loading}
    </p>
  );
}
