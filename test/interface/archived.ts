import assert from "node:assert/strict";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "kysely";
import { hrefOf, paths } from "@avow/contract/urls";
import { parseFile } from "../../packages/server/modules/consents/archive/parquet-file.ts";
import { openArchive } from "../../packages/server/modules/consents/archive/open.ts";
import { runMonths } from "../../packages/server/modules/consents/months/jobs.ts";
import { toOneBucket } from "../../packages/server/platform/db/buckets/buckets.ts";
import { openDataDatabase, openDatabase } from "../../packages/server/platform/db/open.ts";
import type { ObjectsConfig } from "../../packages/server/platform/objects/open.ts";
import type { Objects } from "../../packages/server/platform/objects/objects.ts";
import { toTablesUrl } from "../database.ts";
import { type TestAnswer, intervals } from "../harness.ts";
import { poll } from "../poll.ts";
import { openClockedSite } from "./clocked.ts";

/** Longer than the time that covers running reads. */
const READS_MS = 11 * 60_000;
const WAIT_MS = 30_000;
const log = { info: () => undefined, warn: () => undefined, error: () => undefined };

/** A line of an import. */
export interface OldAnswer {
  token: string;
  date: string;
  identifier?: string;
  collection?: string;
  accept?: boolean;
  value?: unknown;
  preferences?: object;
}

export type ArchiveSite = Awaited<ReturnType<typeof openArchiveSite>>;

/** A project with answers of old months, and the job of archived months under the control of the test. */
export async function openArchiveSite(
  archive: ObjectsConfig | "folder" = "folder",
  env: Record<string, string> = {},
) {
  await using opened = new AsyncDisposableStack();
  const dataDir = await mkdtemp(join(tmpdir(), "avow-archive-"));
  opened.defer(() => rm(dataDir, { recursive: true, force: true }));
  const site = opened.use(await openClockedSite({ DATA_DIR: dataDir, ...env }, intervals));
  const db = openDatabase({ url: site.databaseUrl, poolMax: 2, queueMax: 100, log });
  opened.defer(() => db.destroy());
  const database = openDataDatabase({
    url: toTablesUrl(site.dataUrl),
    poolMax: 4,
    queueMax: 1_000,
    log,
  });
  opened.defer(() => database.destroy());
  const config =
    archive === "folder" ? ({ kind: "folder", root: join(dataDir, "archive") } as const) : archive;
  const { objects, attach } = opened.use(await openArchive({ config, now: () => new Date(), log }));
  const data = attach(database);
  const running = new AbortController().signal;
  let aheadMs = 0;
  const now = () => new Date(Date.now() + aheadMs);
  const run = (through: Partial<Objects> = {}, afterMonths = 1) =>
    runMonths({ data, objects: { ...objects, ...through }, now, log, afterMonths }, running);
  const count = async (table: string, where = "true"): Promise<number> => {
    const { rows } = await sql<{ count: number }>`
      SELECT count(*) AS count FROM ${sql.table(table)} WHERE ${sql.raw(where)}`.execute(data);
    return rows[0]?.count ?? 0;
  };
  const owned = opened.move();
  return {
    ...site,
    db,
    data,
    buckets: toOneBucket(data),
    objects,
    now,
    run,
    count,
    dataDir,
    root: join(dataDir, "archive"),
    /** Runs the job until the records of old months have left the database. */
    async archive(): Promise<void> {
      // Once more for records that were imported into a month while its others were moved.
      for (let n = 0; n < 3; n += 1) {
        await run();
        this.wait();
      }
    },
    /** Lets the time pass that covers running reads. */
    wait(ms = READS_MS): void {
      aheadMs += ms;
    },
    /** Imports answers, and waits for the log. */
    async put(answers: readonly OldAnswer[]): Promise<void> {
      const lines = answers.map((one) => ({
        collection: one.identifier === site.processing ? "processings" : "cookies",
        identifier: site.cookies,
        accept: true,
        ...one,
      }));
      const answer = await site.send(hrefOf("", paths.imports, { projectId: site.id }), {
        headers: { "content-type": "application/x-ndjson" },
        method: "POST",
        body: lines.map((line) => `${JSON.stringify(line)}\n`).join(""),
      });
      assert.equal(answer.status, 202, JSON.stringify(answer.body));
      const done = await poll({
        read: async () => (await site.send(answer.body.links.self)).body,
        isRight: ({ status }) => status === "Done" || status === "Error",
        waitMs: WAIT_MS,
        toMessage: (body) => JSON.stringify(body),
      });
      assert.equal(done.status, "Done", JSON.stringify(done));
      await poll({
        read: () => count("consent_queue"),
        isRight: (queued) => queued === 0,
        waitMs: WAIT_MS,
        toMessage: (queued) => `${queued} consents are queued`,
      });
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

/** Everything that can be read of a project: each response by its address. */
export async function readAll(site: ArchiveSite): Promise<Map<string, TestAnswer>> {
  const read = new Map<string, TestAnswer>();
  const get = async (href: string): Promise<TestAnswer> => {
    const answer = await site.send(href);
    assert.equal(answer.status, 200, `${href}: ${JSON.stringify(answer.body)}`);
    read.set(href, answer);
    return answer;
  };
  const { id, cookies, processing } = site;
  const list = (query: Record<string, string | number>) =>
    hrefOf("", paths.consents, { projectId: id }, query);
  const filters: Record<string, string>[] = [
    {},
    { token: "anna" },
    { accept: "false" },
    { collection: "cookies", accept: "true" },
    { start: "2024-02-10", end: "2024-03-20" },
  ];
  for (const filter of filters) {
    for (const sort of ["createdAt", "-createdAt"]) {
      await get(list({ ...filter, sort, page: 2, perPage: 7 }));
      for (
        let next: string | undefined = list({ ...filter, sort, perPage: 5, cursor: "" });
        next;
      ) {
        const { headers }: TestAnswer = await get(next);
        const link: string | undefined = /<([^>]+)>; rel="next"/.exec(
          headers.get("link") ?? "",
        )?.[1];
        next = link?.replace(site.url, "");
      }
    }
    for (const format of ["csv", "ndjson"]) {
      const query = { end: "2026-01-01", ...filter };
      await get(hrefOf("", paths.export, { projectId: id, format }, query));
    }
  }
  for (const token of ["anna", "ben", "carl", "dora"]) {
    await get(hrefOf("", paths.latestConsent, { projectId: id }, { token }));
    await get(hrefOf("", paths.clientConsents, { id, token }));
  }
  for (const identifier of [cookies, processing]) {
    await get(hrefOf("", paths.clientAcceptedItem, { id, identifier }));
    await get(
      hrefOf("", paths.clientAcceptedItem, { id, identifier }, { at: "2024-03-05T00:00:00Z" }),
    );
    for (const status of ["refused", "withdrawn"])
      await get(hrefOf("", paths.clientStatusItem, { id, status, identifier }));
    await get(
      hrefOf("", paths.clientAcceptedItem, { id, identifier }, { since: "2024-02-01T00:00:00Z" }),
    );
  }
  return read;
}

/** Answers of four people in three months, and in the present. */
export async function fill(site: ArchiveSite): Promise<void> {
  await site.publish();
  const { processing } = site;
  const dates = [
    "2024-01-31T23:59:59.999Z",
    "2024-02-01T00:00:00.000Z",
    "2024-02-15T12:00:00.123Z",
  ];
  const old: OldAnswer[] = ["anna", "ben", "carl"].flatMap((token, n) => [
    ...dates.map((date, at) => ({ token, date, accept: (at + n) % 2 === 0 })),
    { token, date: `2024-03-0${n + 1}T01:00:00.000Z`, preferences: { vendors: { matomo: n > 0 } } },
    {
      token,
      identifier: processing,
      date: "2024-03-04T00:00:00.000Z",
      value: { "ünï\n": [n, null] },
    },
  ]);
  await site.put([...old, { token: "dora", date: "2024-02-02T00:00:00.000Z", accept: true }]);
  await site.collect("cookies", site.cookies, { token: "anna", accept: true });
  await site.collect("processings", processing, { token: "ben", accept: false });
}

export const OLD = 16;
export const DAY_MS = 86_400_000;

/** The ids of a list, of all its pages. */
export async function listIds(site: ArchiveSite, query: Record<string, string>): Promise<string[]> {
  const at = hrefOf("", paths.consents, { projectId: site.id }, { ...query, perPage: 100 });
  const { status, body, headers } = await site.send(at);
  assert.equal(status, 200, JSON.stringify(body));
  assert.equal(headers.get("x-total-count"), String(body.length));
  return body.map(({ consentId }: { consentId: string }) => consentId);
}

/** The names of the archived files. */
export async function listFiles(site: ArchiveSite): Promise<string[]> {
  const keys: string[] = [];
  for await (const key of site.objects.listKeys()) keys.push(key);
  return keys;
}

/** All texts of the archived files. */
export async function readFiles(site: ArchiveSite): Promise<string[]> {
  const texts: string[] = [];
  for (const name of await listFiles(site)) {
    const bytes = await readFile(join(site.root, name));
    const { length } = bytes;
    const footerBytes = bytes.readUInt32LE(length - 8) + 8;
    for await (const row of parseFile(bytes, footerBytes)) texts.push(JSON.stringify(row));
  }
  return texts;
}

/** Compares responses, also their bytes and their numbers of items. */
export function assertSame(now: ReadonlyMap<string, TestAnswer>, then: typeof now): void {
  assert.deepEqual([...now.keys()], [...then.keys()]);
  for (const [href, answer] of then) {
    // Without the manifest and the cursor, which have the time of the export and of the list.
    const lines = ({ body }: TestAnswer): unknown[] => {
      if (typeof body === "string")
        return body.split("\n").filter((line) => !line.includes('"complete":true'));
      return [
        JSON.parse(
          JSON.stringify(body, (name, value: unknown) => (name === "changes" ? 0 : value)),
        ),
      ];
    };
    const read = now.get(href) ?? assert.fail(href);
    const [got, expected] = [lines(read), lines(answer)];
    for (const [n, line] of expected.entries()) assert.deepEqual(got[n], line, href);
    assert.equal(got.length, expected.length, href);
    assert.equal(read.headers.get("x-total-count"), answer.headers.get("x-total-count"), href);
  }
}
