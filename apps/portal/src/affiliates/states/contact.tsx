import { useTexts } from "../../language/language.tsx";

/** How to reach the organization. */
export function Contact({ email }: { email: string | null }) {
  const { states } = useTexts();
  if (email === null) return null;
  return (
    <p className="text-muted">
      {states.contact}{" "}
      <a href={`mailto:${email}`} className="text-ink underline">
        {states.write_to(email)}
      </a>
    </p>
  );
}
