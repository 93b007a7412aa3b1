/* The daily look at the records of portals' host names. */
import { createTestDatabase } from "@findersfee/database/testing";
import { eventually } from "@findersfee/database/testing/eventually";
import { addJob } from "@findersfee/database/work/queue";
import { startNameServer } from "@findersfee/domain/testing/portal/name-server";
import { makeContext } from "@findersfee/domain/testing/subscriber";
import { expect, it } from "vitest";
import { startTestWorker } from "./test-worker.ts";

it("finds the records that are gone, and stops serving the names that had none for a week", async () => {
  const test = await createTestDatabase();
  const names = await startNameServer();
  const worker = await startTestWorker(test, { dns_servers: [names.address] });
  try {
    const [kept, gone, old] = [
      await makeContext(test.database),
      await makeContext(test.database),
      await makeContext(test.database),
    ];
    const serve = (id: string, host: string, failing_since: Date | null) =>
      test.database`
        update organizations
        set portal_host_wanted = ${host}, portal_host_proven_at = now(), portal_host_failing_since = ${failing_since}
        where id = ${id}`;
    await serve(kept.organization.id, "kept.acme.com", null);
    await serve(gone.organization.id, "gone.acme.com", null);
    await serve(old.organization.id, "old.acme.com", new Date(Date.now() - 8 * 24 * 60 * 60 * 1000));
    names.records.set("_findersfee.kept.acme.com", [`findersfee=${kept.organization.id}`]);
    await addJob(test.database, "check_hosts");
    await eventually(async () => {
      const hosts = await test.database`
        select portal_host_wanted as name, portal_host is not null as is_served,
          portal_host_failing_since is not null as is_failing
        from organizations where portal_host_checked_at is not null order by 1`;
      expect([...hosts]).toEqual([
        { name: "gone.acme.com", is_served: true, is_failing: true },
        { name: "kept.acme.com", is_served: true, is_failing: false },
        { name: "old.acme.com", is_served: false, is_failing: true },
      ]);
    });
  } finally {
    await worker.stop();
    await names.close();
    await test.close();
  }
});
