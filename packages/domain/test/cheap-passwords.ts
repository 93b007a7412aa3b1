import { setPasswordCost } from "../src/identity/accounts/password.ts";

/** Real hashes at a 96th of the cost: hashes would otherwise take a 20th of the time of all tests. */
export const lowerPasswordCost = () => setPasswordCost({ N: 2 ** 10, r: 8, p: 1 });

lowerPasswordCost();
