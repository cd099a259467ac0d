import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdir, readdir, writeFile } from "node:fs/promises";
import { request } from "node:http";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import { suite, test } from "node:test";
import { openTestDatabase } from "./database.ts";
import {
  type End,
  type ServiceProcess,
  listProcesses,
  openDataFolder,
  readServerPid,
  startService,
  waitFor,
} from "./lifecycle/process.ts";

const ada = { username: "ada@example.org", password: "correct horse" };

async function post(url: string, body: unknown): Promise<number> {
  const answer = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  return answer.status;
}

const signUp = (address: string): Promise<number> => post(`${address}/v1/auth/local/signup`, ada);
const signIn = (address: string): Promise<number> => post(`${address}/v1/auth/local/signin`, ada);

async function stop(service: ServiceProcess): Promise<void> {
  service.kill("SIGTERM");
  const end = await service.ended;
  assertStopped(end);
}

/** Everything was closed in order, from a running service or before it ran. */
function assertStopped({ code, output }: End): void {
  assert.equal(code, 0, output);
  assert.match(output, /"msg":"stopped/);
}

/** Starts the service again, and finds what an earlier one stored. */
async function assertKept(dataDir: string): Promise<void> {
  const service = startService(dataDir);
  assert.equal(await signIn(await service.address()), 200);
  await stop(service);
  assert.deepEqual(await listProcesses(dataDir), []);
}

const skip = process.platform === "linux" ? false : "it looks at processes through /proc";

suite("the service's life", { skip }, () => {
  test("what is stored is there after a stop and a second start", async (t) => {
    const dataDir = await openDataFolder(t);
    const service = startService(dataDir);
    assert.equal(await signUp(await service.address()), 200);
    await stop(service);
    await assertKept(dataDir);
  });

  for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) {
    test(`${signal}, even three times at once, ends everything with status 0`, async (t) => {
      const dataDir = await openDataFolder(t);
      const service = startService(dataDir);
      await service.address();
      assert.ok((await listProcesses(dataDir)).length > 2);
      for (let n = 0; n < 3; n += 1) service.kill(signal);
      assertStopped(await service.ended);
      assert.deepEqual(await listProcesses(dataDir), []);
    });
  }

  test("a request that is under way is answered before the service ends", async (t) => {
    const service = startService(await openDataFolder(t));
    const upload = await openUpload(`${await service.address()}/v1/auth/local/signup`);
    service.kill("SIGTERM");
    await waitFor("the stop", () => /"stopping"/.exec(service.output()) ?? undefined);
    upload.end();
    assert.equal(await upload.status, 200);
    const end = await service.ended;
    assertStopped(end);
    assert.doesNotMatch(end.output, /cut off/);
  });

  test("a request that does not end in time is cut off, and the service still ends in order", async (t) => {
    const service = startService(await openDataFolder(t), { SHUTDOWN_TIMEOUT_MS: "200" });
    const upload = await openUpload(`${await service.address()}/v1/auth/local/signup`);
    service.kill("SIGTERM");
    await assert.rejects(upload.status, { code: "ECONNRESET" });
    const end = await service.ended;
    assertStopped(end);
    assert.match(end.output, /open requests did not end in time/);
  });

  test("a second signal after a second ends the service at once", async (t) => {
    const dataDir = await openDataFolder(t);
    const service = startService(dataDir);
    const upload = await openUpload(`${await service.address()}/v1/auth/local/signup`);
    upload.status.catch(() => undefined);
    const timer = setInterval(() => service.kill("SIGTERM"), 50);
    const { code, output } = await service.ended;
    clearInterval(timer);
    assert.equal(code, 143, output);
    await waitFor("the database's end", async () => {
      return (await listProcesses(dataDir)).length === 0 ? true : undefined;
    });
  });

  test("a stop in the middle of the first start leaves nothing behind", async (t) => {
    const dataDir = await openDataFolder(t);
    const service = startService(dataDir);
    await waitFor("the first files", async () => {
      return (await readdir(dataDir)).find((name) => name.startsWith("postgres.new-"));
    });
    await stop(service);
    assert.deepEqual(await listProcesses(dataDir), []);
  });

  test("npm start passes signals on, and ends as the service does", async (t) => {
    const dataDir = await openDataFolder(t);
    const npm = startService(dataDir, {}, ["npm", "start", "--silent"]);
    assert.equal(await signUp(await npm.address()), 200);
    await stop(npm);
    await assertKept(dataDir);
  });
});

suite("after a crash", { skip }, () => {
  test("of the service, the next start stops the database left behind and has every record", async (t) => {
    const dataDir = await openDataFolder(t);
    const service = startService(dataDir);
    assert.equal(await signUp(await service.address()), 200);
    const orphan = await readServerPid(dataDir);
    service.kill("SIGKILL");
    await service.ended;
    assert.ok(process.kill(orphan, 0));
    await assertKept(dataDir);
  });

  test("of the database, the service says so and ends, and the next start has every record", async (t) => {
    const dataDir = await openDataFolder(t);
    const service = startService(dataDir);
    assert.equal(await signUp(await service.address()), 200);
    process.kill(await readServerPid(dataDir), "SIGKILL");
    const { code, output } = await service.ended;
    assert.equal(code, 1);
    assert.match(output, /The embedded database ended by itself\. Start again: it recovers\./);
    await assertKept(dataDir);
  });

  test("of both, the next start has every record", async (t) => {
    const dataDir = await openDataFolder(t);
    const service = startService(dataDir);
    assert.equal(await signUp(await service.address()), 200);
    process.kill(await readServerPid(dataDir), "SIGKILL");
    service.kill("SIGKILL");
    await service.ended;
    await assertKept(dataDir);
  });

  test("in the middle of the first start, the next start begins again", async (t) => {
    const dataDir = await openDataFolder(t);
    const killed = startService(dataDir);
    await waitFor("the first files", async () => {
      return (await readdir(dataDir)).find((name) => name.startsWith("postgres.new-"));
    });
    killed.kill("SIGKILL");
    await killed.ended;
    const service = startService(dataDir);
    assert.equal(await signUp(await service.address()), 200);
    await stop(service);
    assert.ok(!(await readdir(dataDir)).some((name) => name.startsWith("postgres.new-")));
  });
});

suite("two services", { skip }, () => {
  test("on one data folder: the second names the first and ends, the first goes on", async (t) => {
    const dataDir = await openDataFolder(t);
    const first = startService(dataDir);
    const address = await first.address();
    const { code, output } = await startService(dataDir).ended;
    assert.equal(code, 1);
    assert.match(output, new RegExp(`Another Avow \\(pid ${first.pid}\\) already runs on`));
    assert.equal(await signUp(address), 200);
    await stop(first);
  });

  test("or more that start at once on a new folder: one stays, the others say why not", async (t) => {
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

  test("on one port: the second names PORT and ends, with its database", async (t) => {
    const dataDir = await openDataFolder(t);
    const server = createServer().listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    const { code, output } = await startService(dataDir, { PORT: String(port) }).ended;
    server.close();
    assert.equal(code, 1);
    assert.match(output, new RegExp(`Port ${port} on 127\\.0\\.0\\.1 is in use\\. Set PORT`));
    assert.deepEqual(await listProcesses(dataDir), []);
  });
});

suite("the start", { skip }, () => {
  test("names every bad setting", async (t) => {
    const env = { PORT: "many", DEMO: "perhaps", DATABASE_URL: "sqlite:secret" };
    const { code, output } = await startService(await openDataFolder(t), env).ended;
    assert.equal(code, 1);
    assert.match(output, /PORT: [\s\S]*DATABASE_URL: [\s\S]*DEMO: /);
    assert.doesNotMatch(output, /secret/);
  });

  test("--help tells the settings, and an unknown argument is refused", async (t) => {
    const dataDir = await openDataFolder(t, "none");
    const run = (arg: string) =>
      startService(dataDir, {}, [process.execPath, "server/main.ts", arg]);
    const help = await run("--help").ended;
    assert.equal(help.code, 0);
    assert.match(help.output, /DATABASE_URL +embedded PostgreSQL/);
    const unknown = await run("--prot=1").ended;
    assert.equal(unknown.code, 2);
    assert.match(unknown.output, /Unknown argument --prot=1/);
  });

  test("works in a folder of mode 700, with a path too long for a socket", async (t) => {
    const parent = await openDataFolder(t);
    const odd = `data, "quoted" and ${"deep ".repeat(20).trim()}`;
    const dataDir = join(parent, odd, "été");
    await mkdir(join(parent, odd), { mode: 0o700 });
    const service = startService(dataDir);
    assert.equal(await signUp(await service.address()), 200);
    await stop(service);
    await assertKept(dataDir);
  });

  test("tells plainly that the data folder cannot be made", async (t) => {
    const file = join(await openDataFolder(t), "file");
    await writeFile(file, "");
    const { code, output } = await startService(join(file, "data")).ended;
    assert.equal(code, 1);
    assert.match(output, /^Avow cannot start\. ENOTDIR: not a directory, mkdir '.*file.data'\n$/);
  });

  test("uses the database of DATABASE_URL, and starts none of its own", async (t) => {
    await using database = await openTestDatabase();
    const dataDir = await openDataFolder(t);
    const service = startService(dataDir, { DATABASE_URL: database.url });
    assert.equal(await signUp(await service.address()), 200);
    await stop(service);
    assert.ok(!(await readdir(dataDir)).includes("postgres"));
  });

  test("tells plainly that the database of DATABASE_URL does not answer", async (t) => {
    const env = { DATABASE_URL: "postgresql://avow:s3cret@127.0.0.1:1/avow" };
    const { code, output } = await startService(await openDataFolder(t), env).ended;
    assert.equal(code, 1);
    assert.match(output, /The database does not answer: connect ECONNREFUSED 127\.0\.0\.1:1/);
    assert.doesNotMatch(output, /s3cret/);
  });
});

const isRoot = process.getuid?.() === 0;
const skipRoot = isRoot ? skip : "it needs root";

suite("root", { skip: skipRoot }, () => {
  const main = [process.execPath, "server/main.ts"];

  test("is told the ways out where user namespaces are off", async (t) => {
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

  test("is not needed: another user starts the service just so", async (t) => {
    const dataDir = await openDataFolder(t);
    const anotherUser = ["unshare", "--user", "--map-user=1000", "--map-group=1000", "--"];
    const service = startService(dataDir, {}, [...anotherUser, ...main]);
    assert.equal(await signUp(await service.address()), 200);
    await stop(service);
    await assertKept(dataDir);
  });
});

/** A sign-up whose body is half sent; `end` sends the rest. */
async function openUpload(url: string) {
  const body = JSON.stringify({ ...ada, username: "eve@example.org" });
  const headers = { "content-type": "application/json", "content-length": body.length };
  const sent = request(url, { method: "POST", headers: { ...headers, expect: "100-continue" } });
  const status = once(sent, "response").then(([answer]) => answer.statusCode as number);
  sent.flushHeaders();
  // The server has the request once it asks for the body.
  await once(sent, "continue");
  sent.write(body.slice(0, 10));
  return { status, end: () => void sent.end(body.slice(10)) };
}
