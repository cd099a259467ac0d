import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdir, readFile, readdir, writeFile } from "node:fs/promises";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import { type TestContext, suite, test } from "node:test";
import { runProgram } from "../command.ts";
import { openTestDatabase } from "../database.ts";
import {
  assertKept,
  assertStopped,
  signUp,
  skip,
  stop,
  waitForFirstFiles,
} from "./lifecycle/checks.ts";
import { listProcesses, openDataFolder, startService, waitFor } from "./lifecycle/process.ts";
import { openUpload } from "./lifecycle/upload.ts";
import { repeatRequests, startVisit } from "./lifecycle/visitors.ts";

suite("the service", { skip }, () => {
  test("keeps its data over a stop and a second start", async (t) => {
    const dataDir = await openDataFolder(t);
    const service = startService(dataDir);
    assert.equal(await signUp(await service.address()), 200);
    await stop(service);
    await assertKept(dataDir);
  });

  test("prints a link for the first operator at its start, and on a command afterwards", async (t) => {
    const dataDir = await openDataFolder(t);
    const first = startService(dataDir);
    const address = await first.address();
    const [, link, claimToken] = await waitFor("the link", () => {
      return /"link":"([^"#]+)#([\w-]{43})"/.exec(first.output()) ?? undefined;
    });
    assert.equal(link, `${address}/admin/claim`);
    assert.equal(await signUp(address, { claimToken }), 200);
    const env = { DATA_DIR: dataDir, PUBLIC_URL: "https://consent.example" };
    const command = join(import.meta.dirname, "../../packages/server/commands/avow.ts");
    const { code, out, err } = await runProgram(command, ["claim"], { env });
    assert.equal(code, 0, err);
    const [, recovery] = /^https:\/\/consent\.example\/admin\/claim#([\w-]{43})\n/.exec(out) ?? [];
    const other = { username: "grace@example.org", claimToken: recovery };
    assert.equal(await signUp(address, other), 200, "while there is an operator");
    await stop(first);
  });

  for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) {
    test(`shuts everything down with status 0 on ${signal}, even on three at once`, async (t) => {
      const dataDir = await openDataFolder(t);
      const service = startService(dataDir);
      await service.address();
      assert.ok((await listProcesses(dataDir)).length > 2);
      for (let n = 0; n < 3; n += 1) service.kill(signal);
      assertStopped(await service.ended);
      assert.deepEqual(await listProcesses(dataDir), []);
    });
  }

  test("answers a request in progress before it exits", async (t) => {
    const service = startService(await openDataFolder(t));
    const upload = await openUpload(`${await service.address()}/v1/auth/local/signup`);
    service.kill("SIGTERM");
    await waitFor("the stop", () => /"stopping"/.exec(service.output()) ?? undefined);
    upload.end();
    assert.equal(await upload.status, 200);
    const end = await service.ended;
    assertStopped(end);
    assert.doesNotMatch(end.output, /shutdown timeout/);
  });

  test("answers or closes in order every connection that is open at a shutdown", async (t) => {
    const service = startService(await openDataFolder(t));
    const address = await service.address();
    const body = "{}";
    const request = `POST /v1/app/consents/${"0".repeat(24)} HTTP/1.1\r\nHost: avow\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
    const pauses = Array.from({ length: 60 }, (_, at) => at * 5);
    const visits = pauses.map((pauseMsMax) => startVisit(address, { request, pauseMsMax }));
    await Promise.all(visits.map(({ answered }) => answered));
    service.kill("SIGTERM");
    const ends = await Promise.all(visits.map(({ end }) => end));
    assert.deepEqual(
      ends.filter(({ isUnanswered, isReset }) => isUnanswered || isReset),
      [],
    );
    assertStopped(await service.ended);
  });

  test("answers clients that connect again during a shutdown, or refuses their connection", async (t) => {
    const service = startService(await openDataFolder(t));
    const address = await service.address();
    const clients = Array.from({ length: 40 }, () => repeatRequests(address));
    await Promise.all(clients.map(({ answered }) => answered));
    service.kill("SIGTERM");
    const ends = await Promise.all(clients.map(({ end }) => end));
    assert.deepEqual([...new Set(ends)], ["ECONNREFUSED"]);
    assertStopped(await service.ended);
  });

  test("cuts off a request that exceeds the shutdown timeout, and still shuts down cleanly", async (t) => {
    const service = startService(await openDataFolder(t), { SHUTDOWN_TIMEOUT_MS: "200" });
    const upload = await openUpload(`${await service.address()}/v1/auth/local/signup`);
    service.kill("SIGTERM");
    await assert.rejects(upload.status, { code: "ECONNRESET" });
    const end = await service.ended;
    assertStopped(end);
    assert.match(end.output, /shutdown timeout: closing open connections/);
  });

  test("leaves no process behind when it is stopped during the first start", async (t) => {
    const dataDir = await openDataFolder(t);
    const service = startService(dataDir);
    await waitForFirstFiles(dataDir);
    await stop(service);
    assert.deepEqual(await listProcesses(dataDir), []);
  });

  test("does not listen when it is stopped during a start", async (t) => {
    const dataDir = await openDataFolder(t);
    const service = startService(dataDir);
    await waitFor("the database", async () => {
      const file = join(dataDir, "postgres", "postmaster.pid");
      return /ready/.exec(await readFile(file, "utf8").catch(() => "")) ?? undefined;
    });
    service.kill("SIGTERM");
    const end = await service.ended;
    assertStopped(end);
    assert.doesNotMatch(end.output, /Avow answers at|Server listening/);
  });

  test("npm start passes signals on, and exits as the service does", async (t) => {
    const dataDir = await openDataFolder(t);
    const npm = startService(dataDir, {}, ["npm", "start", "--silent"]);
    assert.equal(await signUp(await npm.address()), 200);
    await stop(npm);
    await assertKept(dataDir);
  });
});

suite("two services", { skip }, () => {
  test("on one data folder: the second names the first and exits, the first keeps running", async (t) => {
    const dataDir = await openDataFolder(t);
    const first = startService(dataDir);
    const address = await first.address();
    const { code, output } = await startService(dataDir).ended;
    assert.equal(code, 1);
    assert.match(output, new RegExp(`Another Avow \\(pid ${first.pid}\\) already runs on`));
    assert.equal(await signUp(address), 200);
    await stop(first);
  });

  test("or more, started at once on a new folder: one keeps running, the others report it", async (t) => {
    const dataDir = await openDataFolder(t);
    const all = [1, 2, 3].map(() => startService(dataDir));
    const started = all.map((service) => service.address().then(() => service));
    const winner = await Promise.any(started);
    await Promise.allSettled(started);
    for (const loser of all.filter((service) => service !== winner)) {
      const { code, output } = await loser.ended;
      assert.equal(code, 1);
      assert.match(output, new RegExp(`Another Avow \\(pid ${winner.pid}\\)`));
    }
    await stop(winner);
  });

  test("on one port: the second names PORT and exits, before it makes a database", async (t) => {
    const dataDir = await openDataFolder(t);
    const server = createServer().listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    const { code, output } = await startService(dataDir, { PORT: String(port) }).ended;
    server.close();
    assert.equal(code, 1);
    assert.match(output, new RegExp(`Port ${port} on 127\\.0\\.0\\.1 is in use\\. Set PORT`));
    assert.ok(!(await readdir(dataDir)).includes("postgres"));
    assert.deepEqual(await listProcesses(dataDir), []);
  });
});

suite("start-up", { skip }, () => {
  test("names every bad setting", async (t) => {
    const env = { PORT: "many", DEMO: "perhaps", DATABASE_URL: "sqlite:secret" };
    const { code, output } = await startService(await openDataFolder(t), env).ended;
    assert.equal(code, 1);
    for (const name of Object.keys(env)) assert.match(output, new RegExp(`^ +${name}: `, "m"));
    assert.doesNotMatch(output, /secret/);
  });

  test("prints the settings on --help, and rejects an unknown argument", async (t) => {
    const dataDir = await openDataFolder(t, "none");
    const run = (arg: string) =>
      startService(dataDir, {}, [process.execPath, "packages/server/main.ts", arg]);
    const help = await run("--help").ended;
    assert.equal(help.code, 0);
    assert.match(help.output, /DATABASE_URL +External [^]+\[default: embedded PostgreSQL\]/);
    const unknown = await run("--prot=1").ended;
    assert.equal(unknown.code, 2);
    assert.match(unknown.output, /Unknown argument --prot=1/);
  });

  test("works in a folder of mode 700 whose path is too long for a socket", async (t) => {
    const parent = await openDataFolder(t);
    const odd = `data, "quoted" and ${"deep ".repeat(20).trim()}`;
    const dataDir = join(parent, odd, "été");
    await mkdir(join(parent, odd), { mode: 0o700 });
    const service = startService(dataDir);
    assert.equal(await signUp(await service.address()), 200);
    await stop(service);
    await assertKept(dataDir);
  });

  test("names DATA_DIR when the folder cannot be created", async (t) => {
    const file = join(await openDataFolder(t), "file");
    await writeFile(file, "");
    for (const dataDir of [join(file, "data"), file]) {
      const { code, output } = await startService(dataDir).ended;
      assert.equal(code, 1);
      assert.match(
        output,
        /^Avow cannot start\. DATA_DIR cannot be used: a file is in place of .*\n$/,
      );
    }
  });

  for (const [what, files, message] of [
    ["is not Avow's", { "notes.txt": "" }, /is not an Avow database/],
    [
      "is of another PostgreSQL",
      { PG_VERSION: "9\n", "avow.password": "x" },
      /contains a PostgreSQL 9 database/,
    ],
  ] as const) {
    test(`does not touch a folder that ${what}`, async (t) => {
      const dataDir = await openDataFolder(t);
      const folder = join(dataDir, "postgres");
      await mkdir(folder);
      for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
      const { code, output } = await startService(dataDir).ended;
      assert.equal(code, 1);
      assert.match(output, message);
      assert.match(output, /DATA_DIR/);
      assert.deepEqual((await readdir(folder)).toSorted(), Object.keys(files).toSorted());
    });
  }

  test("uses the database of DATABASE_URL, and starts no embedded one", async (t) => {
    await using database = await openTestDatabase();
    const dataDir = await openDataFolder(t);
    const service = startService(dataDir, { DATABASE_URL: database.url });
    assert.equal(await signUp(await service.address()), 200);
    await stop(service);
    assert.ok(!(await readdir(dataDir)).includes("postgres"));
  });

  test("names a DATABASE_URL that does not work, without its secrets", async (t) => {
    await using database = await openTestDatabase();
    const of = (change: (url: URL) => void): string => {
      const url = new URL(database.url);
      change(url);
      return url.href;
    };
    const cases: [string, RegExp][] = [
      ["postgresql://avow:s3cret@127.0.0.1:1/avow", /does not respond \(connect ECONNREFUSED/],
      ["postgresql://avow:s3cret@nowhere.invalid/avow", /its host name is unknown/],
      [of((url) => (url.password = "s3cret")), /rejects the user or the password/],
      [of((url) => (url.pathname = "/s0me")), /has no such database/],
      [await withoutTls(t), /does not support TLS/],
    ];
    for (const [url, message] of cases) {
      const { code, output } = await startService(await openDataFolder(t), { DATABASE_URL: url })
        .ended;
      assert.equal(code, 1);
      assert.match(output, /^Avow cannot start\. DATABASE_URL does not work: .*\n$/);
      assert.match(output, message);
      assert.doesNotMatch(output, /s3cret/);
    }
  });
});

const isRoot = process.getuid?.() === 0;
const skipRoot = isRoot ? skip : "it needs root";

suite("root", { skip: skipRoot }, () => {
  const main = [process.execPath, "packages/server/main.ts"];

  test("gets instructions when user namespaces are disabled", async (t) => {
    const script = 'echo 0 > /proc/sys/user/max_user_namespaces; exec "$@"';
    const shell = ["unshare", "--user", "--map-root-user", "sh", "-c", script, "sh"];
    const { code, output } = await startService(await openDataFolder(t), {}, [...shell, ...main])
      .ended;
    assert.equal(code, 1);
    assert.match(
      output,
      /refuses to run as root.*Run the service as a normal user, or set DATABASE_URL/,
    );
  });

  test("is not needed: any other user can start the service", async (t) => {
    const dataDir = await openDataFolder(t);
    const anotherUser = ["unshare", "--user", "--map-user=1000", "--map-group=1000", "--"];
    const service = startService(dataDir, {}, [...anotherUser, ...main]);
    assert.equal(await signUp(await service.address()), 200);
    await stop(service);
    await assertKept(dataDir);
  });
});

/** The URL, which requires TLS, of a server that answers as PostgreSQL without TLS does. */
async function withoutTls(t: TestContext): Promise<string> {
  const server = createServer((socket) => {
    socket.on("error", () => undefined);
    socket.once("data", () => socket.write("N"));
  }).listen(0, "127.0.0.1");
  t.after(() => server.close());
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return `postgresql://avow:s3cret@127.0.0.1:${port}/avow?sslmode=verify-full`;
}
