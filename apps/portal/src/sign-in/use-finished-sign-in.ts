import { useNavigation } from "@findersfee/ui/navigation";
import { useQueryClient } from "@tanstack/react-query";
import { storeRequested } from "./requested-code.ts";
import { returnPath } from "./return-path.ts";

/** Shows the page that the reader came for, as the person who has signed in now. */
export function useFinishedSignIn(): () => void {
  const client = useQueryClient();
  const { navigate } = useNavigation();
  return () => {
    storeRequested(null);
    client.clear();
    navigate(returnPath());
  };
}
