import { Readable } from "node:stream";
import type { FastifyReply, FastifyRequest } from "fastify";
import { type Scope, toScope } from "../../../kernel/actor.ts";
import { Fault } from "../../../platform/errors.ts";
import type { Http } from "../../../http/http.ts";
import { paths } from "@avow/contract/urls";
import { toJobOut } from "../publications/answers.ts";
import type { Publishing } from "../publications/publishing.ts";
import { findVisibleJob, getJob } from "../publications/reads.ts";
import { JobParams, PublishJobOut } from "../publications/schema.ts";
import { type JobRow, findJob } from "../publications/store.ts";
import { LAST_EVENT_ID, streamJob } from "./stream.ts";

/** Each stream queries the database five times a second. */
const STREAMS_MAX = 100;
const RIGHTS_CHECK_MS = 2_000;

type App = Pick<Publishing, "db" | "config">;

/** GET of one job: as JSON for polling, or as a stream of its steps. */
export function registerJobRoute(http: Http, app: App): void {
  const streams = openStreams(http, app);
  http.get(
    paths.publishJob,
    {
      schema: {
        tags: ["publish"],
        summary: "Get a publish job, or a project's latest one",
        description: "With `Accept: text/event-stream`, each change of a step is sent as an event.",
        operationId: "getPublishJob",
        params: JobParams,
        response: { 200: PublishJobOut },
      },
    },
    async (req, reply) => {
      const job = await getJob(app.db, toScope(req.actor), req.params.id);
      void reply.header("vary", [reply.getHeader("vary"), "Accept"].filter(Boolean).join(", "));
      if (acceptsEvents(req)) return streams.answer(req, reply, job.id);
      void reply.header("retry-after", "1");
      return toJobOut(job, app.config);
    },
  );
}

/** Open streams: limited in number, closed at shutdown. */
function openStreams(http: Http, app: App) {
  const stopping = new AbortController();
  let count = 0;
  http.addHook("preClose", (done) => {
    stopping.abort();
    done();
  });
  return {
    answer(req: FastifyRequest, reply: FastifyReply, jobId: string): FastifyReply {
      if (req.headers["last-event-id"] === LAST_EVENT_ID) return reply.code(204).send();
      if (count >= STREAMS_MAX) {
        const detail = `The limit of ${STREAMS_MAX} open streams is reached. Poll the job instead, or try again.`;
        throw new Fault("busy", detail, { retryAfterSeconds: 5 });
      }
      count += 1;
      const events = Readable.from(
        streamJob({
          read: openReads(app, toScope(req.actor), jobId),
          toAnswer: (present) => toJobOut(present, app.config),
          signal: stopping.signal,
        }),
        { objectMode: false },
      );
      events.once("close", () => (count -= 1));
      void reply.header("cache-control", "no-store").header("x-accel-buffering", "no");
      return reply.type("text/event-stream; charset=utf-8").send(events);
    },
  };
}

/** Reads one job repeatedly; the reader's rights are checked again every two seconds. */
function openReads({ db }: Pick<App, "db">, scope: Scope, jobId: string) {
  let checkedAt = performance.now();
  return async (): Promise<JobRow | undefined> => {
    if (performance.now() - checkedAt < RIGHTS_CHECK_MS) return findJob(db, jobId);
    checkedAt = performance.now();
    return findVisibleJob(db, scope, jobId);
  };
}

function acceptsEvents(req: FastifyRequest): boolean {
  return /(^|,)\s*text\/event-stream\s*(;|,|$)/i.test(req.headers.accept ?? "");
}
