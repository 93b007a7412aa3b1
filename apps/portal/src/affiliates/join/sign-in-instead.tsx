import { Link } from "@findersfee/ui/navigation";
import { useTexts } from "../../language/language.tsx";
import { HOME_OF_AFFILIATES } from "../../shell/home-path.ts";

/** The way for those who have joined before. */
export function SignInInstead() {
  const { join } = useTexts();
  return (
    <p className="mt-6 text-table text-muted">
      {join.already}{" "}
      <Link to={HOME_OF_AFFILIATES} className="inline-block py-3 text-ink underline underline-offset-2">
        {join.sign_in}
      </Link>
    </p>
  );
}
