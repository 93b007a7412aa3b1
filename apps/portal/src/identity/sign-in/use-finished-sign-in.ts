import type { SignedIn } from "@findersfee/contract/portal/join";
import { useNavigation } from "@findersfee/ui/navigation";
import { useQueryClient } from "@tanstack/react-query";
import { storeChosen } from "../../session/chosen-program.ts";
import { returnPath } from "../../session/return-path.ts";
import { storeRequested } from "./requested-code.ts";

/**
 * Shows the page that the reader came for, as the person who has signed in now; or the program that the code was for joining.
 */
export function useFinishedSignIn(): (joined: SignedIn["joined"]) => void {
  const client = useQueryClient();
  const { navigate } = useNavigation();
  return (joined) => {
    storeRequested(null);
    client.clear();
    if (joined === null) return navigate(returnPath());
    storeChosen(joined.affiliate_id);
    navigate("/");
  };
}
