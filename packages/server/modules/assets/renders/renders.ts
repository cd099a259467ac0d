import { createHash } from "node:crypto";
import canonicalize from "canonicalize";
import type { FastifyBaseLogger } from "fastify";
import { LRUCache } from "lru-cache";
import type { Db } from "../../../platform/db/db.ts";
import { inTransaction } from "../../../platform/db/transaction.ts";
import { Fault } from "../../../platform/errors.ts";
import type { Objects, OpenedObject } from "../../../platform/objects/objects.ts";
import type { Client } from "../../../platform/queues/fair-queue.ts";
import type { Pictures } from "../child/pool.ts";
import { type AssetType, type RenderSpec, renderTypes } from "../formats/tasks.ts";
import { IMMUTABLE, toRenderKey } from "../storage/contents.ts";
import { openSharedWork } from "./shared-work.ts";
import {
  type RenderRow,
  countRenders,
  deleteOldRenders,
  findRender,
  listCrowdedContents,
  noteRenderUse,
  upsertRender,
} from "../storage/renders-store.ts";
import { openSources } from "../storage/sources.ts";
import type { Spool } from "../storage/spool.ts";
import { findAssetWith, lockContent } from "../storage/store.ts";

/** Part of every digest. Increment it when the same parameters give a different picture. */
const RENDERER_VERSION = 1;
/** Maximum renders of one content: twice the sizes and formats that a site uses. */
const KEPT = 256;
/** Renders above the maximum before the oldest are removed. */
const SLACK = 32;
const CROWDED_MAX = 1_000;

/** Minimum interval of recording a use, so that most reads do not write. */
const USE_NOTED_MS = 3_600_000;

/** How long a timeout is cached, because a retry would take as long. */
const REFUSED_MS = 10 * 60_000;
const REFUSALS_MAX = 1_000;

/** The source of renders. */
type Content = { sha256: string; type: string };

/** Input of `Renders.open`. */
export interface RenderRequest {
  spec: RenderSpec;
  /** The result of `find`. */
  known: RenderRow | undefined;
  client: Client;
}

/** An open render. The caller must consume or destroy its `body`. */
type OpenedRender = { render: RenderRow; object: OpenedObject };

/** Renders of assets, each created once for concurrent requests. */
export interface Renders {
  /** Finds an existing render, and records its use. */
  find: (content: Content, spec: RenderSpec) => Promise<RenderRow | undefined>;
  /** Finds or creates a render. Throws like `open`. */
  get: (content: Content, spec: RenderSpec, client: Client) => Promise<RenderRow>;
  /**
   * Opens a render; one that is missing, also in storage, is created. Concurrent requests share the work.
   * @throws Fault not-found, impossible, busy
   */
  open: (content: Content, request: RenderRequest) => Promise<OpenedRender>;
  /** Removes excess renders of contents (see `deleteOldRenders`). */
  trim: () => Promise<void>;
}

interface RendersOptions {
  db: Db;
  objects: Objects;
  pictures: Pictures;
  spool: Spool;
  now: () => Date;
  log: Pick<FastifyBaseLogger, "warn">;
  /** Maximum renders of one content; set by tests. */
  kept?: number;
}

/** Opens the renders of this process. Two processes may create the same render at the same time. */
export function openRenders(options: RendersOptions): Renders {
  const { db, objects, kept = KEPT } = options;
  const openSource = openSources(options);
  const shareWork = openSharedWork<RenderRow>();
  const refusals = new LRUCache<string, Fault>({ max: REFUSALS_MAX, ttl: REFUSED_MS });
  const make = async (content: Content, spec: RenderSpec, client: Client): Promise<RenderRow> => {
    await options.spool.assertDiskSpace();
    await using source = await openSource(content);
    await using scratch = options.spool.openScratch();
    const out = scratch.newPath();
    const type = content.type as AssetType;
    const task = { kind: "render", path: source.path, out, type, spec } as const;
    const done = await options.pictures.run(task, client);
    const madeAt = options.now();
    const row: RenderRow = {
      sha256: content.sha256,
      digest: toDigest(spec),
      type: renderTypes[spec.format],
      size: done.size,
      hash: done.sha256,
      created_at: madeAt,
      used_at: madeAt,
    };
    await keepRender(options, row, out);
    await trimOne(options, content.sha256, { kept, slack: SLACK });
    return row;
  };
  const makeOnce = (content: Content, spec: RenderSpec, client: Client): Promise<RenderRow> => {
    const key = `${content.sha256} ${toDigest(spec)}`;
    const refusal = refusals.get(key);
    if (refusal) throw refusal;
    return shareWork(key, client, (one) =>
      make(content, spec, one).catch((error: unknown) => {
        if (error instanceof Fault && error.kind === "impossible") refusals.set(key, error);
        throw error;
      }),
    );
  };
  const find = async ({ sha256 }: Content, spec: RenderSpec): Promise<RenderRow | undefined> => {
    const row = await findRender(db, { sha256, digest: toDigest(spec) });
    const now = options.now();
    const before = new Date(now.getTime() - USE_NOTED_MS);
    if (row && row.used_at < before)
      await noteRenderUse(db, row, { now, before }).catch((error: unknown) => {
        // The picture is returned anyway; the database's disk may be full.
        options.log.warn({ err: error }, "recording the use of a render failed");
      });
    return row;
  };
  return {
    find,
    get: async (content, spec, client) =>
      (await find(content, spec)) ?? makeOnce(content, spec, client),
    async open(content, { spec, known, client }) {
      const found = known && (await objects.openObject(toRenderKey(known)));
      if (known && found) return { render: known, object: found };
      const render = await makeOnce(content, spec, client);
      const object = await objects.openObject(toRenderKey(render));
      if (!object) throw new Fault("not-found", "The file no longer exists.");
      return { render, object };
    },
    async trim() {
      for (const sha256 of await listCrowdedContents(db, { kept, max: CROWDED_MAX }))
        await trimOne(options, sha256, { kept, slack: 0 });
    },
  };
}

function toDigest(spec: RenderSpec): string {
  const text = canonicalize({ maker: RENDERER_VERSION, ...spec }) ?? "";
  return createHash("sha256").update(text).digest("hex").slice(0, 32);
}

/**
 * Stores the row before the object, so that every object has a row. Removes both if the asset was deleted in between.
 */
async function keepRender(
  { db, objects }: Pick<RendersOptions, "db" | "objects">,
  row: RenderRow,
  path: string,
): Promise<void> {
  const { sha256, type, size } = row;
  await inTransaction(db, async (tx) => {
    await lockContent(tx, sha256);
    if (!(await findAssetWith(tx, sha256)))
      throw new Fault("not-found", "The file no longer exists.");
    await upsertRender(tx, row);
  });
  const key = toRenderKey(row);
  await objects.putFile({ key, path, sizeBytes: size, contentType: type, cacheControl: IMMUTABLE });
  if (!(await findRender(db, row))) await objects.deleteObject(key);
}

async function trimOne(
  { db, objects }: Pick<RendersOptions, "db" | "objects">,
  sha256: string,
  { kept, slack }: { kept: number; slack: number },
): Promise<void> {
  await inTransaction(db, async (tx) => {
    if ((await countRenders(tx, sha256)) <= kept + slack) return;
    await lockContent(tx, sha256);
    const old = await deleteOldRenders(tx, { sha256, kept, max: CROWDED_MAX });
    for (const render of old) await objects.deleteObject(toRenderKey(render));
  });
}
