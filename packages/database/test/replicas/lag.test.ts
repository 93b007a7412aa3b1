import { describe, expect, it } from "vitest";
import { hostOf, urlsOfHosts } from "../../src/replicas/hosts.ts";
import { PrimaryPositions } from "../../src/replicas/lag.ts";
import { parsePosition, positionText } from "../../src/replicas/position.ts";

describe("positions", () => {
  it("reads and writes Postgres' notation", () => {
    expect(parsePosition("16/B374D848")).toBe(0x16_b374_d848n);
    expect(positionText(0x16_b374_d848n)).toBe("16/B374D848");
    expect(parsePosition("0/0")).toBe(0n);
    for (const text of ["", "16", "16/", "/1", "16/B374D8481", "g/1", " 1/1"]) {
      expect(parsePosition(text), text).toBeNull();
    }
  });
});

describe("lag", () => {
  it("is the time since the primary was where the standby is", () => {
    const positions = new PrimaryPositions();
    positions.add(1_000, 100n);
    positions.add(2_000, 200n);
    positions.add(3_000, 300n);
    expect(positions.lag(300n, 3_500)).toBe(500);
    expect(positions.lag(250n, 3_500)).toBe(1_500);
    expect(positions.lag(99n, 3_500)).toBe(Number.POSITIVE_INFINITY);
  });

  it("does not grow while nobody writes to the primary", () => {
    const positions = new PrimaryPositions();
    for (let at = 0; at <= 3_600_000; at += 500) positions.add(at, 100n);
    expect(positions.lag(100n, 3_600_000)).toBe(0);
  });

  it("knows nothing of a primary that went back", () => {
    const positions = new PrimaryPositions();
    positions.add(1_000, 300n);
    positions.add(2_000, 200n);
    expect(positions.lag(150n, 2_000)).toBe(Number.POSITIVE_INFINITY);
    expect(positions.lag(200n, 2_000)).toBe(0);
  });
});

describe("hosts", () => {
  it("has an address for each", () => {
    expect(urlsOfHosts("postgres://me:p%40@one:5433,two,[::1]:5/name?a=b,c")).toEqual([
      "postgres://me:p%40@one:5433/name?a=b,c",
      "postgres://me:p%40@two/name?a=b,c",
      "postgres://me:p%40@[::1]:5/name?a=b,c",
    ]);
    expect(urlsOfHosts("postgresql://one/name").map(hostOf)).toEqual(["one:5432"]);
  });
});
