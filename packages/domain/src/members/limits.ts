/** Members and open invitations of one organization. */
export const MOST_MEMBERS = 500;
