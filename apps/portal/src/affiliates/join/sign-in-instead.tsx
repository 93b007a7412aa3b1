import { Link } from "@findersfee/ui/navigation";
import { useTexts } from "../../language/language.tsx";

/** The way for those who have joined before. */
export function SignInInstead() {
  const { join } = useTexts();
  return (
    <p className="mt-6 text-table text-muted">
      {join.already}{" "}
      <Link to="/" className="inline-block py-3 text-ink underline underline-offset-2">
        {join.sign_in}
      </Link>
    </p>
  );
}
