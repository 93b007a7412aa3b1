/** The home for those who have joined: strangers come to the sign-in, and to no list of programs. */
export const HOME_OF_AFFILIATES = "/?sign-in";
