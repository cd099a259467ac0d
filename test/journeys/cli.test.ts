import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { once } from "node:events";
import { mkdtemp, readFile, readdir, rm, writeFile } from "node:fs/promises";
import { type RequestListener, createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import workspace from "../../package.json" with { type: "json" };
import { createClient } from "../../packages/client/client.ts";
import { readPart } from "../../packages/cli/export/export-part.ts";
import type { Step } from "../../packages/cli/terminal/progress.ts";
import { findDefect } from "../../packages/server/modules/consents/imports/formats/manifest.ts";
import {
  type ProgramResult,
  type RunOptions,
  runAvow,
  runAvowForHead,
  toCaller,
} from "../command.ts";
import { service } from "../harness.ts";
import { toCsv } from "../interface/imports.ts";
import { putRecords } from "../interface/records.ts";
import { newSite } from "../interface/site.ts";

/** Runs the command line to its end, with a token. */
function avow(
  args: readonly string[],
  { token, url = service.url, onOutput }: { token?: string; url?: string } & RunOptions = {},
): Promise<ProgramResult> {
  return runAvow(args, { env: toCaller(url, token), ...(onOutput ? { onOutput } : {}) });
}

let folder = "";
before(async () => {
  folder = await mkdtemp(join(tmpdir(), "avow-cli-"));
});
after(() => rm(folder, { recursive: true, force: true }));

describe("avow", () => {
  it("prints its help, and that of each command", async () => {
    for (const [args, pattern] of [
      [["--help"], /avow export PROJECT/],
      [["export", "--help"], /--resume[^]*--visitor[^]*130/],
      [["import", "-h"], /--dry-run/],
    ] as const) {
      const { code, out } = await avow(args);
      assert.equal(code, 0);
      assert.match(out, pattern);
    }
  });

  it("prints its version", async () => {
    for (const option of ["--version", "-V"]) {
      const { code, out } = await avow([option]);
      assert.deepEqual({ code, out }, { code: 0, out: `${workspace.version}\n` });
    }
  });

  it("exits with 2 on invalid usage, and prints the reason", async () => {
    const cases: [string[], RegExp][] = [
      [[], /Missing command/],
      [["fetch"], /Unknown command fetch/],
      [["import", "p"], /Expected PROJECT and FILE/],
      [["import", "p", "x.csv"], /AVOW_TOKEN/],
      [["import", "p", "x.txt", "--token", "t"], /--format/],
      [["import", "p", join(folder, "none.csv"), "--token", "t"], /There is no file/],
      [["export", "p", "--format", "xml", "--token", "t"], /expected csv, ndjson, parquet/],
      [["export", "p", "--url", "ftp://x", "--token", "t"], /http or https/],
      [["export", "p", "--resume", "--token", "t"], /needs --output/],
      [["export", "p", "--unknown"], /unknown/],
      [["export", "p", "-o", join(folder, "x.pdf"), "--token", "t"], /Name the format of .*x\.pdf/],
      [["export", "p", "-o", join(folder, "x.csv.gz"), "--token", "t"], /--format csv/],
      [["export", "p", "--collection", "pages", "--token", "t"], /expected cookies, processings/],
      [["export", "p", "--accept", "maybe", "--token", "t"], /expected true, false/],
    ];
    for (const [args, pattern] of cases) {
      const { code, err } = await avow(args);
      assert.equal(code, 2, `${args.join(" ")}: ${err}`);
      assert.match(err, pattern);
    }
  });

  it("exits with 1 when the service rejects or does not answer, and never prints the token", async () => {
    const { project } = await service.newOwner();
    const token = "secret-of-somebody";
    const refused = await avow(["export", project.id, "--token", token]);
    assert.equal(refused.code, 1);
    assert.match(refused.err, /The service returned 403: /);
    assert.doesNotMatch(refused.err + refused.out, /secret-of-somebody/);
  });

  it("imports a file, lists the rejected lines, and skips all records the second time", async () => {
    const site = await newSite();
    const file = join(folder, "in.csv");
    await writeFile(file, toCsv(site, [{}, {}, { collection: "pages" }]));
    const dry = await avow(["import", site.id, file, "--dry-run"], site);
    assert.match(dry.err, /3 read: 2 would be imported, 0 already known, 1 rejected/);
    const first = await avow(["import", site.id, file], site);
    assert.equal(first.code, 1, first.err);
    assert.match(first.err, /3 read: 2 imported, 0 already known, 1 rejected/);
    assert.match(first.err, /line 4: collection must be one of cookies, processings, contracts/);
    assert.match(first.err, /All rejected lines, with their reasons: http.*\/refused/);
    await writeFile(file, toCsv(site, [{}, {}]));
    const second = await avow(["import", site.id, file, "--quiet"], site);
    assert.deepEqual(second, { code: 0, out: "", err: "" });
    const { body } = await service.fetch(`/v1/app/consents/${site.id}`, { token: site.token });
    assert.equal(body.length, 2);
  });

  it("prints the reason of a failed import", async () => {
    const site = await newSite();
    const file = join(folder, "wrong.csv");
    await writeFile(file, "a;b\n");
    const { code, err } = await avow(["import", site.id, file], site);
    assert.equal(code, 1);
    assert.match(err, /The import failed\. The first line has to name the columns/);
  });
});

describe("avow export", () => {
  it("writes imported records in every format, and an import recognizes every line", async () => {
    const site = await newSite();
    const file = join(folder, "all.csv");
    const given = toCsv(site, [
      { value: { a: "=1" } },
      { preferences: { vendors: { chat: true } } },
    ]);
    await writeFile(file, given);
    assert.equal((await avow(["import", site.id, file], site)).code, 0);
    const piped = await avow(["export", site.id], site);
    assert.equal(piped.code, 0, piped.err);
    assert.equal(piped.out, given);
    for (const format of ["csv", "ndjson", "parquet"]) {
      const out = join(folder, `out.${format}`);
      const { code, err } = await avow(["export", site.id, "-o", out], site);
      assert.equal(code, 0, err);
      assert.match(err, /2 records in .*: complete and checked/);
      if (format === "parquet") continue;
      const again = await avow(["import", site.id, out], site);
      assert.match(again.err, /2 read: 0 imported, 2 already known, 0 rejected/);
    }
  });

  const csvLines = Array.from({ length: 6 }, (_, at) => `line ${at}\r\n`);
  const jsonLines = csvLines.map((_, at) => `{"consentId":"${at}"}\n`);
  const sha256Of = (text: string) => createHash("sha256").update(text).digest("hex");

  /**
   * A service that exports six lines, and breaks the first `breaks` connections, each once three more lines
   * are in `file`: data in flight is lost with a connection.
   */
  async function openBreaking(
    breaks: number,
    file = "",
    {
      lines = csvLines,
      estimate,
    }: { lines?: readonly string[]; estimate?: string | undefined } = {},
  ) {
    const asked: (string | null)[] = [];
    let broken = 0;
    const listener: RequestListener = (req, res) => {
      const url = new URL(req.url ?? "", "http://x");
      const last = Number(url.searchParams.get("after") ?? url.searchParams.get("from") ?? -1);
      const rest = lines.slice(last + 1);
      const text = rest.join("");
      const end = {
        id: String(last),
        first: rest.length > 0 ? String(last + 1) : null,
        last: rest.length > 0 ? String(lines.length - 1) : null,
        count: rest.length,
        bytes: text.length,
        sha256: sha256Of(text),
        complete: true,
        to: "2026-01-02T03:04:05.006Z",
        heldBack: lines === jsonLines,
        log: { origin: "l", size: last + 100, checkpoint: `l\n${last + 100}\n` },
      };
      if (url.pathname.includes("/manifests/")) {
        const isWhole = url.searchParams.get("cut") === null;
        const stretches = rest.slice(0, 2).map((_, at) => {
          const bytes = rest.slice(0, at + 1).join("");
          return {
            bytes: bytes.length,
            count: at + 1,
            last: String(last + 1 + at),
            sha256: sha256Of(bytes),
          };
        });
        const cut = { complete: false, state: "cut", sha256: null };
        res.setHeader("content-type", "application/json");
        res.end(JSON.stringify({ ...end, state: "done", ...(isWhole ? {} : cut), stretches }));
        return;
      }
      asked.push(url.searchParams.get("after"));
      const isCut = broken < breaks;
      broken += 1;
      const query = `from=${last}${isCut ? "&cut=1" : ""}`;
      if (estimate !== undefined) res.setHeader("x-export-estimate", estimate);
      res.setHeader(
        "link",
        `<http://${req.headers.host}/v1/app/exports/p/manifests/1?${query}>; rel="describedby"`,
      );
      if (!isCut) {
        const part = last < 0 ? {} : { after: String(last) };
        const manifest = { projectId: "p", ...part, ...end };
        res.end(text + (lines === jsonLines ? `${JSON.stringify({ manifest })}\n` : ""));
        return;
      }
      const some = rest.slice(0, 3);
      res.write(some.join("") + "li");
      void awaitText(file, some.at(-1) ?? "").finally(() => res.destroy());
    };
    const server = createServer(listener).listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    const close = async (): Promise<void> => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    };
    return { url: `http://127.0.0.1:${port}`, asked, [Symbol.asyncDispose]: close };
  }

  /** Waits until a file contains `text`, for at most half a minute. */
  async function awaitText(file: string, text: string): Promise<void> {
    for (const until = Date.now() + 30_000; Date.now() < until; await delay(10)) {
      const content = await readFile(file, "utf8").catch(() => "");
      if (content.includes(text)) return;
    }
  }

  it("resumes a broken connection at the manifest's position, and checks the whole file", async () => {
    const file = join(folder, "broken.csv");
    await using breaking = await openBreaking(2, file);
    const { code, err } = await avow(["export", "p", "-o", file], {
      url: breaking.url,
      token: "t",
    });
    assert.equal(code, 0, err);
    assert.match(err, /Retrying/);
    assert.match(err, /6 records in .*: complete and checked/);
    assert.equal(await readFile(file, "utf8"), csvLines.join(""));
    assert.deepEqual(breaking.asked, [null, "1", "3"]);
    assert.deepEqual(
      (await readdir(folder)).filter((name) => name.startsWith("broken")),
      ["broken.csv"],
    );
  });

  it("reports a closed standard output", async () => {
    const lines = Array.from({ length: 50_000 }, (_, at) => `line ${at}\r\n`);
    await using breaking = await openBreaking(0, "", { lines });
    const env = toCaller(breaking.url, "t");
    const { out, err } = await runAvowForHead(["export", "p"], { env });
    assert.equal(out, lines[0]);
    assert.equal(err, "Standard output was closed before the end.\nstatus 1\n");
  });

  it("leaves a file that --resume completes after an interruption", async () => {
    const file = join(folder, "stopped.csv");
    await using breaking = await openBreaking(1, file);
    const args = ["export", "p", "-o", file];
    const options = { url: breaking.url, token: "t" };
    const stopped = await avow(args, {
      ...options,
      onOutput: ({ err }, interrupt) => err.includes("Retrying") && interrupt(),
    });
    assert.equal(stopped.code, 130, stopped.err);
    assert.match(stopped.err, /--resume/);
    const taken = await avow(args, options);
    assert.equal(taken.code, 2);
    assert.match(taken.err, /already exists/);
    const other = await avow([...args, "--resume", "--identifier", "x"], options);
    assert.match(other.err, /with other options/);
    const resumed = await avow([...args, "--resume"], options);
    assert.equal(resumed.code, 0, resumed.err);
    assert.equal(await readFile(file, "utf8"), csvLines.join(""));
  });

  it("writes the records that the API's filters select, in the format of --format or the extension", async () => {
    const site = await newSite();
    const other = { token: "other", accept: false };
    const { collection, identifier } = { collection: "processings", identifier: site.processing };
    const end = new Date(Date.now() - 5_000).toISOString();
    const ids = await putRecords(site, [{}, other, { collection, identifier }]);
    const list = async (name: string, ...args: string[]) => {
      const file = join(folder, name);
      const { code, err } = await avow(
        ["export", site.id, "-o", file, "--end", end, ...args],
        site,
      );
      assert.equal(code, 0, err);
      const found = (await readFile(file, "utf8")).matchAll(/^\{"consentId":"([^"]+)"/gm);
      await rm(file);
      return Array.from(found, ([, id = ""]) => ids.indexOf(id));
    };
    assert.deepEqual(await list("filtered.jsonl", "--visitor", "other"), [1]);
    assert.deepEqual(await list("filtered.NDJSON", "--accept", "false"), [1]);
    assert.deepEqual(await list("filtered.txt", "--format", "ndjson", "--accept", "true"), [0, 2]);
    assert.deepEqual(await list("filtered.ndjson", "--collection", collection), [2]);
    assert.deepEqual(await list("filtered.ndjson", "--identifier", site.cookies), [0, 1]);
  });

  it("leaves no file when nothing was written", async () => {
    const site = await newSite();
    const unknown = "0123456789abcdef01234567";
    for (const [project, ...more] of [[unknown], [site.id, "--start", "yesterday"]]) {
      const args = ["export", project ?? "", "-o", join(folder, "left.csv"), ...more];
      const { code, err } = await avow(args, site);
      assert.equal(code, 1, err);
      assert.match(err, /The service returned 4/);
      assert.deepEqual(
        (await readdir(folder)).filter((name) => name.startsWith("left")),
        [],
      );
    }
  });

  it("shows a progress bar of the expected records, which is full only at the end", async () => {
    const cases = [
      { estimate: "12", totals: [12] },
      { estimate: "3", totals: [6 / 0.99] },
      { totals: [undefined] },
    ];
    for (const { estimate, totals } of cases) {
      await using breaking = await openBreaking(0, "", { estimate });
      const steps: Step[] = [];
      const progress = {
        show: (step: Step) => steps.push(step),
        say: () => undefined,
        clear: () => undefined,
      };
      const given = {
        client: createClient({ url: breaking.url, token: "t" }),
        progress,
        positionals: [],
        text: () => undefined,
        is: () => false,
      };
      await readPart(given, {
        request: { projectId: "p", format: "csv", filters: {} },
        after: undefined,
        signal: new AbortController().signal,
        write: () => Promise.resolve(),
      });
      assert.deepEqual(
        steps.map(({ done, total }) => ({ done, total })),
        totals.map((total) => ({ done: 6, total })),
      );
    }
  });

  it("ends NDJSON of several parts with a manifest of the whole file, which an import checks", async () => {
    const file = join(folder, "parts.ndjson");
    await using breaking = await openBreaking(2, file, { lines: jsonLines });
    const args = ["export", "p", "-o", file];
    const options = { url: breaking.url, token: "t" };
    const stopped = await avow(args, {
      ...options,
      onOutput: ({ err }, interrupt) => err.includes("Retrying") && interrupt(),
    });
    assert.equal(stopped.code, 130, stopped.err);
    const resumed = await avow([...args, "--resume"], options);
    assert.equal(resumed.code, 0, resumed.err);
    assert.match(resumed.err, /Export the rest later, with --start 2026-01-02T03:04:05\.006Z/);
    const text = await readFile(file, "utf8");
    const body = jsonLines.join("");
    assert.ok(text.startsWith(body));
    assert.deepEqual(JSON.parse(text.slice(body.length)), {
      manifest: {
        projectId: "p",
        id: "3",
        first: "0",
        last: "5",
        count: 6,
        bytes: body.length,
        sha256: sha256Of(body),
        complete: true,
        to: "2026-01-02T03:04:05.006Z",
        heldBack: true,
        log: { origin: "l", size: 99, checkpoint: "l\n99\n" },
        parts: ["-1", "1", "3"],
      },
    });
    assert.equal(await findDefect(file, text.length), undefined);
    await writeFile(file, text.replace('"consentId":"0"', '"consentId":"9"'));
    assert.match((await findDefect(file, text.length)) ?? "", /do not match its manifest/);
  });

  it("does not resume a file whose earlier part was changed", async () => {
    const file = join(folder, "changed.ndjson");
    await using breaking = await openBreaking(2, file, { lines: jsonLines });
    const args = ["export", "p", "-o", file];
    let changed = false;
    const { code, err } = await avow(args, {
      url: breaking.url,
      token: "t",
      onOutput: (output) => {
        if (changed || output.err.split("Retrying").length < 3) return;
        changed = true;
        writeFileSync(file, readFileSync(file, "utf8").replace('"0"', '"9"'));
      },
    });
    assert.equal(code, 1);
    assert.match(err, /was changed after the interruption/);
  });
});
