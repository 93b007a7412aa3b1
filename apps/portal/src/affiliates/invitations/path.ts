/** The page of organizations that added the person. */
export const INVITATIONS_PATH = "/invitations";
