import { afterEach, expect, it } from "vitest";
import {
  hashPassword,
  isPassword,
  PASSWORD_COST,
  setPasswordCost,
} from "../../../src/identity/accounts/password.ts";
import { lowerPasswordCost } from "../../cheap-passwords.ts";
import { WAITING_BROWSER } from "./sign-in.ts";

afterEach(lowerPasswordCost);

it("stores a hash at the cost that docs/security.md names, with a salt", async () => {
  setPasswordCost(PASSWORD_COST);
  const stored = await hashPassword("correct horse battery", WAITING_BROWSER);
  expect(stored).toMatch(/^scrypt-32768-8-3\$[\w-]{22}\$[\w-]{43}$/);
  expect(await isPassword("correct horse battery", stored, WAITING_BROWSER)).toBe(true);
  expect(await isPassword("wrong horse battery", stored, WAITING_BROWSER)).toBe(false);
});

it("compares with hashes of another cost", async () => {
  const stored = await hashPassword("correct horse battery", WAITING_BROWSER);
  setPasswordCost({ N: 2 ** 11, r: 8, p: 1 });
  expect(await isPassword("correct horse battery", stored, WAITING_BROWSER)).toBe(true);
  const next = await hashPassword("correct horse battery", WAITING_BROWSER);
  expect(next.split("$")[0]).not.toBe(stored.split("$")[0]);
});

it("compares with nobody's, and refuses an unknown format", async () => {
  expect(await isPassword("correct horse battery", null, WAITING_BROWSER)).toBe(false);
  for (const stored of ["", "bcrypt$x$y", "scrypt-1024-8$x$y", "scrypt-1024-8-1-1$x$y"])
    await expect(isPassword("x", stored, WAITING_BROWSER)).rejects.toThrow("unknown format");
});

it("takes as long without a stored hash", async () => {
  setPasswordCost(PASSWORD_COST);
  const stored = await hashPassword("correct horse battery", WAITING_BROWSER);
  const cpuOf = async (compared: string | null) => {
    const start = process.cpuUsage();
    await isPassword("wrong horse battery", compared, WAITING_BROWSER);
    const { user, system } = process.cpuUsage(start);
    return user + system;
  };
  const known = Math.min(await cpuOf(stored), await cpuOf(stored));
  const unknown = Math.min(await cpuOf(null), await cpuOf(null));
  expect(unknown).toBeGreaterThan(known / 3);
});
