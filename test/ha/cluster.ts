// The database side of the kit: etcd, three members of Patroni, HAProxy and PgBouncer, with the samples of deploy/ha.
import { randomBytes } from "node:crypto";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Client } from "pg";
import { findFreePort } from "../../packages/server/platform/ports.ts";
import {
  type Program,
  anotherUser,
  killFamily,
  signalFamily,
  toProgram,
  waitFor,
} from "./processes.ts";
import { type Proxy, openProxy } from "./proxy.ts";

const samples = new URL("../../deploy/ha/", import.meta.url);
const MEMBERS = 3;
const CONNECT_TIMEOUT_MS = 5_000;
const QUERY_TIMEOUT_MS = 60_000;
/** In an asynchronous cluster, a standby this far behind may become the leader. */
const ASYNC_LAG_BYTES = 256 * 1024 * 1024;
/** Longer than ttl: a dead leader is replaced, and a member that was away has joined again. */
const HEALTHY_WAIT_MS = 300_000;

export interface Member {
  name: string;
  port: number;
  restPort: number;
  dataDir: string;
  patroni: Program;
  /** Between the standbys and this member. */
  replication: Proxy;
  /** Between this member and etcd. */
  etcd: Proxy;
}

export interface Cluster extends AsyncDisposable {
  members: readonly Member[];
  etcd: Program;
  haproxy: Program;
  pgbouncer: Program;
  /** The database through PgBouncer and HAProxy. */
  url: string;
  /** The member that answers as the leader; undefined while there is none. */
  findLeader(except?: Member): Promise<Member | undefined>;
  /** The leader, once the two others follow it, and one of them synchronously. */
  waitUntilHealthy(): Promise<Member>;
  /** Runs one statement as the superuser in the service's database on a member itself. */
  query<T extends object>(member: Member, text: string, values?: readonly unknown[]): Promise<T[]>;
  /** Kills Patroni and PostgreSQL of a member. */
  kill(member: Member): Promise<void>;
  freeze(member: Member, isFrozen: boolean): Promise<void>;
  /** Asks Patroni to make another member the leader. */
  switchOver(leader: Member): Promise<void>;
}

interface ClusterOptions {
  folder: string;
  isAsync: boolean;
  signal: AbortSignal;
}

/** Starts the cluster in `folder` and creates the service's role and database. */
export async function openCluster(options: ClusterOptions): Promise<Cluster> {
  await using opened = new AsyncDisposableStack();
  const { folder, isAsync, signal } = options;
  const passwords = { superuser: newPassword(), replicator: newPassword(), avow: newPassword() };
  const ports = await toPorts();
  const etcd = await toEtcd(folder, ports.etcd);
  opened.defer(() => etcd.stop("SIGKILL"));
  const members: Member[] = [];
  for (let number = 1; number <= MEMBERS; number += 1) {
    const member = await toMember({ number, folder, isAsync, etcdPort: ports.etcd, passwords });
    opened.use(member.replication);
    opened.use(member.etcd);
    opened.defer(() => killFamily(member.patroni, member.dataDir));
    members.push(member);
  }
  const haproxy = await toHaproxy(folder, ports.haproxy, members);
  opened.defer(() => haproxy.stop("SIGKILL"));
  const pgbouncer = await toPgbouncer({ folder, ports, password: passwords.avow });
  opened.defer(() => pgbouncer.stop("SIGKILL"));

  const query: Cluster["query"] = (member, text, values = []) =>
    queryOnce(toSuperUrl(member, passwords.superuser, "avow"), text, values);
  const queryServer = <T extends object>(member: Member, text: string) =>
    queryOnce<T>(toSuperUrl(member, passwords.superuser, "postgres"), text, []);
  const findLeader = async (except?: Member): Promise<Member | undefined> => {
    for (const member of members) if (member !== except && (await isLeader(member))) return member;
    return undefined;
  };
  const cluster: Omit<Cluster, typeof Symbol.asyncDispose> = {
    members,
    etcd,
    haproxy,
    pgbouncer,
    url: `postgresql://avow:${passwords.avow}@127.0.0.1:${ports.pgbouncer}/avow`,
    findLeader,
    query,
    waitUntilHealthy: () =>
      waitFor(
        "a leader with two standbys",
        async () => {
          const leader = await findLeader();
          if (!leader) return undefined;
          const rows = await queryServer<{ sync_state: string }>(
            leader,
            "SELECT sync_state FROM pg_stat_replication WHERE state = 'streaming'",
          );
          const isSafe = isAsync || rows.some((row) => row.sync_state === "sync");
          return rows.length === MEMBERS - 1 && isSafe ? leader : undefined;
        },
        { waitMs: HEALTHY_WAIT_MS, signal },
      ),
    kill: (member) => killFamily(member.patroni, member.dataDir),
    freeze: (member, isFrozen) =>
      signalFamily(member.patroni, member.dataDir, isFrozen ? "SIGSTOP" : "SIGCONT"),
    async switchOver(leader) {
      const response = await fetch(`http://127.0.0.1:${leader.restPort}/switchover`, {
        method: "POST",
        body: JSON.stringify({ leader: leader.name }),
        signal: AbortSignal.timeout(60_000),
      });
      if (!response.ok) throw new Error(`Switchover: ${await response.text()}`);
    },
  };
  etcd.start();
  for (const member of members) member.patroni.start();
  haproxy.start();
  const leader = await cluster.waitUntilHealthy();
  await queryServer(leader, `CREATE ROLE avow LOGIN PASSWORD '${passwords.avow}'`);
  await queryServer(leader, "CREATE DATABASE avow OWNER avow");
  pgbouncer.start();
  const owned = opened.move();
  return { ...cluster, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

const newPassword = (): string => randomBytes(16).toString("hex");

async function toPorts() {
  const [etcd, haproxy, pgbouncer] = [
    await findFreePort("127.0.0.1"),
    await findFreePort("127.0.0.1"),
    await findFreePort("127.0.0.1"),
  ];
  return { etcd, haproxy, pgbouncer };
}

async function isLeader({ restPort }: Member): Promise<boolean> {
  const timeout = AbortSignal.timeout(1_000);
  return fetch(`http://127.0.0.1:${restPort}/primary`, { signal: timeout }).then(
    ({ status }) => status === 200,
    () => false,
  );
}

const toSuperUrl = ({ port }: Member, password: string, database: string): string =>
  `postgresql://postgres:${password}@127.0.0.1:${port}/${database}`;

async function queryOnce<T extends object>(
  connectionString: string,
  text: string,
  values: readonly unknown[],
): Promise<T[]> {
  const client = new Client({
    connectionString,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    query_timeout: QUERY_TIMEOUT_MS,
  });
  client.on("error", () => undefined);
  await client.connect();
  try {
    return (await client.query<T>(text, [...values])).rows;
  } finally {
    await client.end();
  }
}

/** Reads a sample and replaces texts that it must have. */
async function adaptSample(name: string, changes: Record<string, string>): Promise<string> {
  let text = await readFile(new URL(name, samples), "utf8");
  for (const [from, to] of Object.entries(changes)) {
    if (!text.includes(from)) throw new Error(`deploy/ha/${name} has no ${from}`);
    text = text.replaceAll(from, to);
  }
  return text;
}

async function toEtcd(folder: string, port: number): Promise<Program> {
  const peerPort = await findFreePort("127.0.0.1");
  const [url, peer] = [`http://127.0.0.1:${port}`, `http://127.0.0.1:${peerPort}`];
  const options = {
    name: "etcd",
    "data-dir": join(folder, "etcd"),
    "listen-client-urls": url,
    "advertise-client-urls": url,
    "listen-peer-urls": peer,
    "initial-advertise-peer-urls": peer,
    "initial-cluster": `etcd=${peer}`,
    "enable-v2": "true",
  };
  const args = Object.entries(options).map(([name, value]) => `--${name}=${value}`);
  return toProgram(["etcd", ...args], { logFile: join(folder, "etcd.log") });
}

interface MemberOptions {
  number: number;
  folder: string;
  isAsync: boolean;
  etcdPort: number;
  passwords: { superuser: string; replicator: string };
}

async function toMember(options: MemberOptions): Promise<Member> {
  const { number, folder, isAsync, passwords } = options;
  const name = `db${number}`;
  const dataDir = join(folder, name);
  await mkdir(dataDir, { mode: 0o700 });
  const [port, restPort] = [await findFreePort("127.0.0.1"), await findFreePort("127.0.0.1")];
  const [replication, etcd] = [await openProxy(port), await openProxy(options.etcdPort)];
  const text = await adaptSample("patroni.yml", {
    "name: db1": `name: ${name}`,
    "10.0.0.1:8008": `127.0.0.1:${restPort}`,
    "listen: 10.0.0.1:5432": `listen: 127.0.0.1:${port}`,
    "connect_address: 10.0.0.1:5432": `connect_address: 127.0.0.1:${replication.port}`,
    // Patroni must not connect to the addresses that etcd announces, past the proxy.
    "hosts: 10.0.0.11:2379,10.0.0.12:2379,10.0.0.13:2379": `host: 127.0.0.1:${etcd.port}\n  use_proxies: true`,
    "max_connections: 200": `max_connections: 200\n        unix_socket_directories: ""`,
    "/var/lib/postgresql/15/avow": join(dataDir, "data"),
    "10.0.0.0/24": "127.0.0.0/8",
    "example-superuser": passwords.superuser,
    "example-replicator": passwords.replicator,
    "mode: automatic": "mode: off",
    ...(isAsync && {
      "synchronous_mode: true": "synchronous_mode: false",
      "synchronous_mode_strict: true": "synchronous_mode_strict: false",
      "maximum_lag_on_failover: 1048576": `maximum_lag_on_failover: ${ASYNC_LAG_BYTES}`,
    }),
  });
  const file = join(folder, `${name}.yml`);
  await writeFile(file, text);
  const patroni = toProgram([...anotherUser, "patroni", file], {
    logFile: join(folder, `${name}.log`),
    // Patroni's own files, such as passwords for pg_rewind, belong into its folder.
    env: { PATH: process.env["PATH"], HOME: dataDir, LC_ALL: "C.UTF-8" },
    isKept: true,
  });
  return { name, port, restPort, dataDir, patroni, replication, etcd };
}

async function toHaproxy(
  folder: string,
  port: number,
  members: readonly Member[],
): Promise<Program> {
  const servers = Object.fromEntries(
    members.map((member, at) => [
      `10.0.0.${at + 1}:5432 check port 8008`,
      `127.0.0.1:${member.port} check port ${member.restPort}`,
    ]),
  );
  const file = join(folder, "haproxy.cfg");
  const changes = { "bind 127.0.0.1:5000": `bind 127.0.0.1:${port}`, ...servers };
  await writeFile(file, await adaptSample("haproxy.cfg", changes));
  return toProgram(["haproxy", "-db", "-f", file], { logFile: join(folder, "haproxy.log") });
}

async function toPgbouncer(options: {
  folder: string;
  ports: { haproxy: number; pgbouncer: number };
  password: string;
}): Promise<Program> {
  const { folder, ports, password } = options;
  const users = join(folder, "pgbouncer.users");
  await writeFile(users, `"avow" "${password}"\n`);
  const file = join(folder, "pgbouncer.ini");
  const text = await adaptSample("pgbouncer.ini", {
    "port=5000": `port=${ports.haproxy}`,
    "listen_port = 6432": `listen_port = ${ports.pgbouncer}`,
    "/etc/pgbouncer/users": users,
  });
  await writeFile(file, text);
  return toProgram([...anotherUser, "/usr/sbin/pgbouncer", file], {
    logFile: join(folder, "pgbouncer.log"),
  });
}
