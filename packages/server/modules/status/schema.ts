import { Type } from "typebox";

const count = (description: string) => Type.Integer({ minimum: 0, description });
const seconds = (description: string) => Type.Number({ minimum: 0, description });
const time = (description: string) => Type.String({ format: "date-time", description });

/** The state of the installation, for operators. */
export const StatusOut = Type.Object(
  {
    service: Type.Object(
      {
        version: Type.String({ examples: ["0.2.0"] }),
        node: Type.String({ description: "Version of Node.", examples: ["26.10.0"] }),
        startedAt: time("Start of this node."),
        uptimeSeconds: seconds("Time since then."),
      },
      { description: "The node that answers." },
    ),
    database: Type.Object({
      version: Type.String({
        description: "Version of PostgreSQL; two if those of two databases differ.",
        examples: ["18.1"],
      }),
      sizeBytes: count("Size of the database; with CONSENTS_DATABASE_URL, of both."),
      migration: Type.String({
        description: "The newest migration of this version.",
        examples: ["0001_init"],
      }),
      missingMigrations: count("Migrations of this version that were not applied; 0 if current."),
      unknownMigrations: count("Applied migrations of a newer version."),
    }),
    disk: Type.Union(
      [
        Type.Object({
          freeBytes: count("Free space of the disk of DATA_DIR on this node."),
          reserveBytes: count("Writes are rejected below it (DISK_RESERVE_BYTES)."),
        }),
        Type.Null(),
      ],
      { description: "Null if the system does not say." },
    ),
    log: Type.Object(
      {
        entries: count("Entries of the newest signed tree."),
        signedAt: Type.Union([time("Time of its signature."), Type.Null()]),
        stoppedReason: Type.Union([Type.String(), Type.Null()], {
          description:
            "Why no tree is signed any more: the database lacks entries of an earlier one.",
        }),
        queued: count("Consents that wait for their entry, up to 100,000."),
        isQueuedCut: Type.Boolean({ description: "Whether there are more." }),
        lagSeconds: seconds("Time for which they have waited."),
        unavailableBuckets: Type.Array(Type.String({ examples: ["avow_b2"] }), {
          description:
            "Buckets whose database server does not respond. Their consents are not counted here.",
        }),
      },
      { description: "The transparency log." },
    ),
    webhooks: Type.Object({
      endpoints: count("Webhooks."),
      failing: count("Webhooks whose receiver failed in the last batch."),
      pending: count("Deliveries that wait to be sent or retried."),
      lagSeconds: seconds("Time by which the first delivery that is due is late."),
    }),
    queues: Type.Array(
      Type.Object({
        name: Type.String({ examples: ["publish"] }),
        waiting: count("Jobs that wait."),
        active: count("Jobs that run."),
      }),
      { description: "Queues of background jobs. The counts are at most five seconds old." },
    ),
    mails: Type.Object({
      driver: Type.Enum(["smtp", "folder"], {
        description: "`folder`: mails are written to files, since SMTP_URL is not set.",
      }),
      waiting: count("Mails that wait to be sent or retried."),
      sent: count("Mails that this node handed over since its start."),
      failed: count("Mails of this node that failed for good since its start."),
    }),
    backup: Type.Union(
      [
        Type.Object({
          createdAt: time("Time of its data."),
          endedAt: time("End of `avow backup`."),
          sizeBytes: count("Its size."),
        }),
        Type.Null(),
      ],
      { description: "The last complete backup; null if there is none." },
    ),
  },
  { title: "InstanceStatus" },
);
