/** Members and open invitations of one organization. */
export const MAX_MEMBERS = 500;
