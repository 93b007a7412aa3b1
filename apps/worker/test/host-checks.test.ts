/* The daily look at the records of portals' host names and of domains of single sign-on. */
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

it("finds the domains of single sign-on whose record is gone, and ends their proof after a week", async () => {
  const test = await createTestDatabase();
  const names = await startNameServer();
  const worker = await startTestWorker(test, { dns_servers: [names.address] });
  try {
    const { organization } = await makeContext(test.database);
    await test.database`
      insert into sign_in_providers
        (organization_id, issuer, client_id, client_secret_encrypted, session_hours, created_at, updated_at)
      values (${organization.id}, 'https://id.acme.com', 'findersfee', '', 12, now(), now())`;
    const prove = (domain: string, failing_days: number | null, is_proven = true) =>
      test.database`
        insert into sign_in_domains (organization_id, domain, proven_at, failing_since)
        values (${organization.id}, ${domain}, case when ${is_proven} then now() end,
          now() - make_interval(days => ${failing_days}::int))`;
    await prove("kept.example", null);
    await prove("gone.example", null);
    await prove("old.example", 8);
    await prove("new.example", null, false);
    names.records.set("_findersfee.kept.example", [`findersfee=${organization.id}`]);
    await addJob(test.database, "check_hosts");
    await eventually(async () => {
      const domains = await test.database`
        select domain, proven_at is not null as is_proven, failure from sign_in_domains
        where checked_at is not null order by domain`;
      expect([...domains]).toEqual([
        { domain: "gone.example", is_proven: true, failure: "missing" },
        { domain: "kept.example", is_proven: true, failure: null },
        { domain: "old.example", is_proven: false, failure: "missing" },
      ]);
    });
    const entries = await test.database`
      select actor, after from audit_log_entries where resource = 'single_sign_on'`;
    expect([...entries]).toEqual([
      { actor: "host check", after: { domains: ["gone.example", "kept.example"] } },
    ]);
  } finally {
    await worker.stop();
    await names.close();
    await test.close();
  }
});
