// The faults. Each leaves everything running again, which `waitUntilHealthy` awaits.
import { setTimeout as delay } from "node:timers/promises";
import type { Cluster, Member } from "./cluster.ts";
import type { ServiceNode, Site } from "./site.ts";

const FREEZE_MS = 40_000;
const CUT_MS = 10_000;
/** Longer than ttl: the leader without etcd has been replaced. */
const ETCD_CUT_MS = 35_000;
const STANDBYS_AWAY_MS = 10_000;
const UNREPLICATED_MS = 2_000;
const PROBE_MS = 3_000;
/** Confirmations that were on their way when writes had to stop. */
const GRACE_MS = 1_000;

export interface World {
  cluster: Cluster;
  site: Site;
}

interface FaultTimes {
  /** The instant from which the pause until the next 201 counts, by `performance.now()`. */
  at: number;
  /** The period in which nothing may be confirmed. */
  silence?: { from: number; to: number };
  /** Whether a leader that had been replaced still confirmed a write. */
  hasSecondLeader?: boolean;
}

export interface Fault {
  name: string;
  title: string;
  /** Limit of the pause without a 201 (p95). */
  goalSeconds: number;
  /** Whether an asynchronous cluster loses consents by it. */
  isControl?: boolean;
  inflict(world: World, leader: Member): Promise<FaultTimes>;
}

const CRASH_SECONDS = 30;
const PLANNED_SECONDS = 5;

export const faults: readonly Fault[] = [
  {
    name: "leader-killed",
    title: "leader killed",
    goalSeconds: CRASH_SECONDS,
    async inflict({ cluster }, leader) {
      const at = performance.now();
      await cluster.kill(leader);
      await waitForAnotherLeader(cluster, leader);
      leader.patroni.start();
      return { at };
    },
  },
  {
    name: "leader-lost",
    title: "leader cut from the standbys, killed 2 s later",
    goalSeconds: CRASH_SECONDS,
    isControl: true,
    async inflict({ cluster }, leader) {
      leader.replication.cut();
      const from = performance.now() + GRACE_MS;
      await delay(UNREPLICATED_MS);
      const at = performance.now();
      await cluster.kill(leader);
      await waitForAnotherLeader(cluster, leader);
      leader.replication.heal();
      leader.patroni.start();
      return { at, silence: { from, to: at } };
    },
  },
  {
    name: "leader-frozen",
    title: "leader frozen 40 s",
    goalSeconds: CRASH_SECONDS,
    async inflict({ cluster }, leader) {
      const at = performance.now();
      await cluster.freeze(leader, true);
      await delay(FREEZE_MS);
      const next = await cluster.findLeader(leader);
      await cluster.freeze(leader, false);
      return { at, hasSecondLeader: next !== undefined && (await confirmsWrite(cluster, leader)) };
    },
  },
  {
    name: "etcd-cut",
    title: "leader cut from etcd 35 s",
    goalSeconds: CRASH_SECONDS,
    async inflict(_world, leader) {
      const at = performance.now();
      leader.etcd.cut();
      await delay(ETCD_CUT_MS);
      leader.etcd.heal();
      return { at };
    },
  },
  {
    name: "standby-cut",
    title: "leader cut from the standbys 10 s",
    goalSeconds: CRASH_SECONDS,
    async inflict(_world, leader) {
      leader.replication.cut();
      const from = performance.now() + GRACE_MS;
      await delay(CUT_MS);
      const at = performance.now();
      leader.replication.heal();
      return { at, silence: { from, to: at } };
    },
  },
  {
    name: "standby-killed",
    title: "synchronous standby killed",
    goalSeconds: CRASH_SECONDS,
    async inflict({ cluster }, leader) {
      const standby = await findSynchronous(cluster, leader);
      const at = performance.now();
      await cluster.kill(standby);
      await delay(CUT_MS);
      standby.patroni.start();
      return { at };
    },
  },
  {
    name: "standbys-killed",
    title: "both standbys killed 10 s",
    goalSeconds: CRASH_SECONDS,
    async inflict({ cluster }, leader) {
      const standbys = cluster.members.filter((member) => member !== leader);
      await Promise.all(standbys.map((member) => cluster.kill(member)));
      const from = performance.now() + GRACE_MS;
      await delay(STANDBYS_AWAY_MS);
      const at = performance.now();
      for (const member of standbys) member.patroni.start();
      return { at, silence: { from, to: at } };
    },
  },
  {
    name: "switchover",
    title: "switchover",
    goalSeconds: PLANNED_SECONDS,
    async inflict({ cluster }, leader) {
      const at = performance.now();
      await cluster.switchOver(leader);
      return { at };
    },
  },
  {
    name: "everything",
    title: "everything killed and started",
    goalSeconds: CRASH_SECONDS,
    async inflict({ cluster, site }) {
      const programs = [
        ...site.nodes.map(({ program }) => program),
        cluster.pgbouncer,
        cluster.haproxy,
        cluster.etcd,
      ];
      await Promise.all([
        ...programs.map((program) => program.stop("SIGKILL")),
        ...cluster.members.map((member) => cluster.kill(member)),
      ]);
      const at = performance.now();
      for (const program of programs.toReversed()) program.start();
      for (const member of cluster.members) member.patroni.start();
      return { at };
    },
  },
  {
    name: "pgbouncer",
    title: "PgBouncer killed and started",
    goalSeconds: PLANNED_SECONDS,
    async inflict({ cluster }) {
      const at = performance.now();
      await cluster.pgbouncer.stop("SIGKILL");
      cluster.pgbouncer.start();
      return { at };
    },
  },
  {
    name: "node-killed",
    title: "a node of the service killed",
    goalSeconds: PLANNED_SECONDS,
    async inflict({ site }) {
      const at = performance.now();
      // Its supervisor starts it again.
      site.nodes[0]?.program.child?.kill("SIGKILL");
      return { at };
    },
  },
  {
    name: "rolling-restart",
    title: "both nodes replaced, one after the other",
    goalSeconds: PLANNED_SECONDS,
    async inflict({ site }) {
      const at = performance.now();
      for (const node of site.nodes) await replace(node);
      return { at };
    },
  },
];

async function replace(node: ServiceNode): Promise<void> {
  await node.program.stop("SIGTERM");
  node.program.start();
  await node.waitUntilReady();
}

async function waitForAnotherLeader(cluster: Cluster, leader: Member): Promise<void> {
  while (!(await cluster.findLeader(leader))) await delay(100);
}

async function findSynchronous(cluster: Cluster, leader: Member): Promise<Member> {
  const rows = await cluster.query<{ name: string }>(
    leader,
    "SELECT application_name AS name FROM pg_stat_replication WHERE sync_state = 'sync'",
  );
  const member = cluster.members.find(({ name }) => name === rows[0]?.name);
  if (!member) throw new Error("No standby is synchronous.");
  return member;
}

/** Whether a leader that was replaced still confirms a write to a client that is connected to it directly. */
async function confirmsWrite(cluster: Cluster, leader: Member): Promise<boolean> {
  const written = cluster
    .query(leader, "SELECT pg_logical_emit_message(true, 'ha', 'probe')")
    .then(() => true)
    .catch(() => false);
  return Promise.race([written, delay(PROBE_MS, false)]);
}
