import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { after, before, describe, it } from "node:test";
import { openPromise } from "yauzl";
import { claimAuthority } from "../../packages/server/modules/evidence/anchors/timestamp-store.ts";
import { hrefOf, paths } from "@avow/contract/urls";
import { openDataDatabase } from "../../packages/server/platform/db/open.ts";
import { openLog } from "../../packages/server/platform/log.ts";
import { askJson } from "../faults/durability/http.ts";
import { openAnotherService } from "../interface/another-service.ts";
import { waitFor } from "../faults/lifecycle/process.ts";
import { type Mood, type TestAuthority, openAuthority, openssl } from "./authority.ts";
import { runAvow } from "../command.ts";
import { fill, openFilled, query, readCheckpoint, sizeOf } from "./world.ts";

type FilledWorld = Awaited<ReturnType<typeof openFilled>>;

interface TimestampList {
  items: { size: number; time: string; links: { timestamp: string; checkpoint: string } }[];
  links: { self: string; next?: string };
}

const log = openLog({ level: "silent", format: "json" });
const skip = isMissing() && "openssl is not installed";

let filled: FilledWorld;
before(async () => {
  if (!skip) filled = await openFilled(5, 0);
});
after(() => filled?.world[Symbol.asyncDispose]());

const open = ({ url }: TestAuthority) =>
  filled.world.open(undefined, { EVIDENCE_TSA_URL: url, EVIDENCE_TSA_EVERY_MINUTES: "60" });

const list = (address: string) => askJson<TimestampList>(`${address}/log/timestamps`);

/** Makes the next time-stamp due at once, for any node. */
const ageStamps = () =>
  query(
    filled.world.databaseUrl,
    `WITH aged AS (UPDATE log_timestamps SET kept_at = kept_at - interval '61 minutes')
     UPDATE log_authorities SET next_at = now(), failures = 0`,
  );

/** The newest time-stamp, once it covers the log's current tree. */
async function waitForStamp(address: string): Promise<TimestampList["items"][number]> {
  return waitFor("a time-stamp of the newest tree", async () => {
    const [newest] = (await list(address)).items;
    const size = sizeOf(await readCheckpoint(address));
    return newest?.size === size ? newest : undefined;
  });
}

/** Stores a time-stamp and its checkpoint as an auditor would. */
async function keep({ links }: TimestampList["items"][number], name: string) {
  const { file } = filled.world;
  const [reply, checkpoint] = await Promise.all(
    [links.timestamp, links.checkpoint].map((url) => fetch(url)),
  );
  assert.ok(reply && checkpoint);
  assert.equal(reply.headers.get("content-type"), "application/timestamp-reply");
  await writeFile(file(`${name}.tsr`), await reply.bytes());
  await writeFile(file(`${name}.txt`), await checkpoint.bytes());
  return { tsr: file(`${name}.tsr`), txt: file(`${name}.txt`) };
}

describe("the log's time-stamps", { skip }, () => {
  it("cover its checkpoints byte for byte, and openssl verifies them", async () => {
    await using authority = await openAuthority();
    await using service = await open(authority);
    const here = { ...filled.site, address: service.url };
    const first = await waitForStamp(service.url);
    assert.ok(Math.abs(Date.parse(first.time) - Date.now()) < 60_000, first.time);
    const { tsr, txt } = await keep(first, "first");
    const folder = dirname(tsr);
    const verify = ["ts", "-verify", "-in", tsr, "-CAfile", authority.caFile];
    assert.match(await openssl(folder, ...verify, "-data", txt), /^Verification: OK$/m);
    await assert.rejects(openssl(folder, ...verify, "-data", filled.world.file("first.tsr")));
    assert.deepEqual(authority.requestTypes, ["application/timestamp-query"]);

    await fill(here, 2);
    await ageStamps();
    const second = await waitForStamp(service.url);
    assert.ok(second.size > first.size);

    // The stamped checkpoint serves to check later proofs and the whole log.
    const check = ["log", "check", "--url", service.url, "--key", filled.key, "--keep", txt];
    const { code, out, err } = await runAvow(check);
    assert.equal(code, 0, out + err);
  });

  it("are part of audit packages, with consistency proofs to their proofs", async () => {
    await using authority = await openAuthority();
    await using service = await open(authority);
    const { site, world, key } = filled;
    await fill({ ...site, address: service.url }, 1);
    await ageStamps();
    const { size } = await waitForStamp(service.url);
    await fill({ ...site, address: service.url }, 3);
    const selection = { sample: 3, seed: "any", language: "fr" };
    const answer = await fetch(
      service.url + hrefOf("", paths.dossier, { projectId: site.id }, selection),
      {
        headers: { authorization: `Bearer ${site.token}` },
      },
    );
    assert.equal(answer.status, 200);
    const zip = world.file("dossier.zip");
    await writeFile(zip, await answer.bytes());
    const files = await unzip(zip);
    assert.equal(answer.headers.get("x-dossier-files"), String(files.size));
    const names = ["timestamp.tsr", "timestamp.txt", "timestamp-consistency.json"] as const;
    for (const name of names) {
      assert.ok(files.get("README.txt")?.toString().includes(`log/${name}`), name);
      assert.ok(files.get("index.html")?.toString().includes(`href="log/${name}"`), name);
      await writeFile(world.file(name), files.get(`log/${name}`) ?? "");
    }
    const [tsr, txt, json] = names.map((name) => world.file(name)) as [string, string, string];
    assert.equal(sizeOf(await readFile(txt, "utf8")), size);
    const verify = ["ts", "-verify", "-in", tsr, "-data", txt, "-CAfile", authority.caFile];
    assert.match(await openssl(dirname(tsr), ...verify), /^Verification: OK$/m);
    const args = ["verify", zip, "--key", key, "--checkpoint", txt];
    const related = await runAvow([...args, "--consistency", json]);
    assert.equal(related.code, 0, related.out + related.err);
    assert.notEqual((await runAvow(args)).code, 0, "not proven without a consistency proof");
  });

  it("are listed newest first with pagination, and answer 404 for other trees", async () => {
    await using authority = await openAuthority();
    await using service = await open(authority);
    const here = { ...filled.site, address: service.url };
    for (const _ of [1, 2]) {
      await fill(here, 1);
      await ageStamps();
      await waitForStamp(service.url);
    }
    const sizes = (await list(service.url)).items.map(({ size }) => size);
    assert.deepEqual(
      sizes,
      sizes.toSorted((a, b) => b - a),
    );
    const paged: number[] = [];
    let next: string | undefined = `${service.url}/log/timestamps?limit=1`;
    while (next !== undefined) {
      const page: TimestampList = await askJson<TimestampList>(next);
      assert.ok(page.items.length <= 1);
      paged.push(...page.items.map(({ size }) => size));
      next = page.links.next;
    }
    assert.deepEqual(paged, sizes);
    const cursor = Buffer.from('["x"]').toString("base64url");
    for (const bad of ["limit=0", `cursor=${cursor}`, "cursor=%00"])
      assert.equal((await fetch(`${service.url}/log/timestamps?${bad}`)).status, 400, bad);
    const last = sizes[0] ?? 0;
    for (const bad of [`${last + 1}.tsr`, `0${last}.tsr`, "x.txt", "1e1.tsr", `${last}.pem`])
      assert.equal((await fetch(`${service.url}/log/timestamps/${bad}`)).status, 404, bad);
  });

  it("do not block the log; an invalid answer is logged and not stored", async () => {
    await using authority = await openAuthority();
    await using service = await open(authority);
    const here = { ...filled.site, address: service.url };
    await fill(here, 1);
    await ageStamps();
    await waitForStamp(service.url);
    const kept = await list(service.url);
    const moods: [Mood, RegExp][] = [
      ["away", /responded with status 503/],
      ["refuses", /time-stamp not granted \(rejection, badAlg\)/],
      ["stamps something else", /time-stamp has another message imprint/],
      ["stamps another request", /time-stamp has another nonce/],
      ["leaves its certificate out", /time-stamp lacks the certificate/],
      ["says another type", /response is not an application\/timestamp-reply/],
      ["says nonsense", /response is not valid RFC 3161/],
      ["endless", /response too long/],
      ["elsewhere", /responded with status 307/],
      ["never answers", /timed out after 10 s/],
    ];
    for (const [mood, reason] of moods) {
      authority.mood = mood;
      await fill(here, 1);
      await ageStamps();
      await waitFor(`the reason of ${mood}`, () =>
        service.lines.some((line) => reason.test(line)) ? true : undefined,
      );
      // The log still grows, and keeps its earlier time-stamps.
      await fill(here, 1);
      assert.deepEqual(await list(service.url), kept, mood);
    }
    assert.ok(service.lines.every((line) => !line.includes("an-account")));
    authority.mood = "well";
    await ageStamps();
    await waitForStamp(service.url);
    const [row] = await query<{ failures: number }>(
      filled.world.databaseUrl,
      "SELECT failures FROM log_authorities WHERE url = $1",
      [authority.url],
    );
    assert.equal(row?.failures, 0);
  });

  it("are requested only for a tree that grew, and not before the interval is over", async () => {
    await using authority = await openAuthority();
    await ageStamps();
    let size: number;
    {
      await using service = await open(authority);
      await fill({ ...filled.site, address: service.url }, 1);
      await ageStamps();
      ({ size } = await waitForStamp(service.url));
    }
    const { databaseUrl } = filled.world;
    await using db = openDataDatabase({ url: databaseUrl, poolMax: 1, queueMax: 1, log });
    const of = { url: authority.url, everyMinutes: 60, leaseSeconds: 30 };
    assert.equal(
      await claimAuthority(db, { ...of, size: size + 1 }),
      undefined,
      "before the interval is over",
    );
    await ageStamps();
    assert.equal(await claimAuthority(db, { ...of, size }), undefined, "the same tree");
    assert.equal(await claimAuthority(db, { ...of, size: size + 1 }), 0);
    assert.equal(
      await claimAuthority(db, { ...of, size: size + 1 }),
      undefined,
      "another node holds the lease",
    );
  });

  it("are rejected when the clocks differ too much", async () => {
    await using authority = await openAuthority();
    await ageStamps();
    const { databaseUrl, env } = filled.world;
    const settings = { ...env, EVIDENCE_TSA_URL: authority.url };
    const inAnHour = () => new Date(Date.now() + 3_600_000);
    await using service = await openAnotherService(databaseUrl, settings, inAnHour);
    await fill({ ...filled.site, address: service.url }, 1);
    await waitFor("the reason", () =>
      service.lines.some((line) => /clocks are (?:36\d\d|3599) s apart/.test(line))
        ? true
        : undefined,
    );
  });

  it("are requested by one node of several, once for each tree", async () => {
    await using authority = await openAuthority();
    await using one = await open(authority);
    await using two = await open(authority);
    for (const _ of [1, 2]) {
      await fill({ ...filled.site, address: one.url }, 1);
      await ageStamps();
      await waitForStamp(two.url);
    }
    const { items } = await list(two.url);
    assert.ok(
      authority.requestTypes.length <= items.length,
      `${authority.requestTypes.length} requests`,
    );
  });

  it("require an https address without credentials, or the service does not start", async () => {
    for (const url of ["http://tsa.example/tsr", "ftp://127.0.0.1/", "https://a:b@tsa.example/"])
      await assert.rejects(
        async () => filled.world.open(undefined, { EVIDENCE_TSA_URL: url }),
        { message: /EVIDENCE_TSA_URL: expected an https address/ },
        url,
      );
  });
});

/** The files of an archive, byte for byte, unpacked by an independent library. */
async function unzip(path: string): Promise<Map<string, Buffer>> {
  const zip = await openPromise(path);
  const files = new Map<string, Buffer>();
  try {
    for await (const entry of zip.eachEntry()) {
      const stream = await zip.openReadStreamPromise(entry);
      files.set(entry.fileName, Buffer.concat((await stream.toArray()) as Buffer[]));
    }
  } finally {
    zip.close();
  }
  return files;
}

function isMissing(): boolean {
  try {
    execFileSync("openssl", ["version"], { stdio: "ignore" });
    return false;
  } catch {
    return true;
  }
}
