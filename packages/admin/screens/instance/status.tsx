import type { ComponentChildren } from "preact";
import { type InstanceStatus, getInstanceStatus } from "@avow/client/operations";
import { send } from "../../api/send.ts";
import { toDuration, toNumber, toSize } from "../../browser/format.ts";
import { useLoad } from "../../data/use-load.ts";
import { LoadView } from "../../ui/load-view.tsx";
import { Ago, Badge, Card } from "../../ui/parts.tsx";
import { instanceWords } from "../../words/instance/words.ts";

/** The limits of deploy/prometheus/alerts.yaml. */
const LOG_LAG_SECONDS_MAX = 60;
const WEBHOOK_LAG_SECONDS_MAX = 300;
const BACKUP_AGE_MS_MAX = 36 * 3_600_000;
const RESERVES_MIN = 2;

/** The facts that an operator should look at, by name. */
function listAlarms(status: InstanceStatus): ReadonlySet<string> {
  const { database, disk, log, webhooks, mails, backup } = status;
  const alarms: [name: string, isRaised: boolean][] = [
    ["migrations", database.missingMigrations + database.unknownMigrations > 0],
    ["disk", disk !== null && disk.freeBytes < RESERVES_MIN * disk.reserveBytes],
    ["log", log.stoppedReason !== null || log.lagSeconds > LOG_LAG_SECONDS_MAX],
    ["webhooks", webhooks.lagSeconds > WEBHOOK_LAG_SECONDS_MAX || webhooks.failing > 0],
    ["mails", mails.failed > 0],
    ["backup", backup === null || isOld(backup)],
  ];
  return new Set(alarms.filter(([, isRaised]) => isRaised).map(([name]) => name));
}

function isOld({ createdAt }: NonNullable<InstanceStatus["backup"]>): boolean {
  return Date.now() - Date.parse(createdAt) > BACKUP_AGE_MS_MAX;
}

/** Versions, queues, delays, the disk, mails and the last backup. */
export function StatusCard() {
  const { status, statusLead, refresh } = instanceWords.value;
  const loaded = useLoad(() => send(getInstanceStatus), []);
  return (
    <Card
      title={status}
      lead={statusLead}
      action={
        <button type="button" class="button small" onClick={loaded.reload}>
          {refresh}
        </button>
      }
    >
      <LoadView of={loaded} lines={8}>
        {(found) => (
          <>
            <Health alarms={listAlarms(found).size} />
            <dl class="facts">
              <Versions status={found} />
              <Disk status={found} />
              <LogQueue log={found.log} />
              <WebhookQueue webhooks={found.webhooks} />
              <Mails mails={found.mails} />
              <Jobs queues={found.queues} />
              <LastBackup backup={found.backup} />
            </dl>
          </>
        )}
      </LoadView>
    </Card>
  );
}

/** The number of alarms. */
function Health({ alarms }: { alarms: number }) {
  const texts = instanceWords.value;
  return (
    <p>
      <Badge tone={alarms === 0 ? "good" : "warn"}>
        {alarms === 0 ? texts.healthy : texts.alarms(alarms)}
      </Badge>
    </p>
  );
}

interface FactProps {
  name: string;
  /** A problem that the operator should look at. */
  warning?: string | false | undefined;
  tone?: "warn" | "bad";
  hint?: string | false;
  children?: ComponentChildren;
}

function Fact({ name, warning, tone = "warn", hint, children }: FactProps) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        {children} {warning && <Badge tone={tone}>{warning}</Badge>}
        {hint && <span class="soft under">{hint}</span>}
      </dd>
    </div>
  );
}

function Versions({ status: { service, database } }: { status: InstanceStatus }) {
  const texts = instanceWords.value;
  return (
    <>
      <Fact name={texts.version} hint={`Node ${service.node} · PostgreSQL ${database.version}`}>
        {service.version}
      </Fact>
      <Migrations database={database} />
      <Fact name={texts.started}>
        <Ago at={service.startedAt} />
      </Fact>
    </>
  );
}

function Migrations({ database }: Pick<InstanceStatus, "database">) {
  const texts = instanceWords.value;
  const { migration, missingMigrations, unknownMigrations } = database;
  const hint = missingMigrations > 0 ? texts.migrate : unknownMigrations > 0 && texts.upgrade;
  return (
    <Fact
      name={texts.migrations}
      tone="bad"
      warning={
        missingMigrations > 0
          ? texts.missing(toNumber(missingMigrations))
          : unknownMigrations > 0 && texts.unknownMigrations(toNumber(unknownMigrations))
      }
      hint={hint}
    >
      {missingMigrations + unknownMigrations === 0 ? texts.current : ""}{" "}
      <span class="code soft">{migration}</span>
    </Fact>
  );
}

function Disk({ status: { database, disk } }: { status: InstanceStatus }) {
  const texts = instanceWords.value;
  const isFull = disk !== null && disk.freeBytes < RESERVES_MIN * disk.reserveBytes;
  return (
    <>
      <Fact name={texts.database}>{toSize(database.sizeBytes)}</Fact>
      <Fact name={texts.disk} tone="bad" warning={isFull && texts.diskFull}>
        {disk === null ? texts.diskUnknown : toSize(disk.freeBytes)}
      </Fact>
    </>
  );
}

function LogQueue({ log }: { log: InstanceStatus["log"] }) {
  const texts = instanceWords.value;
  const { queued, isQueuedCut, lagSeconds, entries, stoppedReason } = log;
  const count = `${isQueuedCut ? "≥ " : ""}${toNumber(queued)}`;
  return (
    <Fact
      name={texts.log}
      tone={stoppedReason === null ? "warn" : "bad"}
      warning={
        stoppedReason === null
          ? lagSeconds > LOG_LAG_SECONDS_MAX && toDelay(lagSeconds)
          : texts.stopped
      }
      hint={stoppedReason ?? (queued === 0 ? texts.logCurrent : texts.logQueued(count))}
    >
      {texts.entries(toNumber(entries))}
    </Fact>
  );
}

function WebhookQueue({ webhooks }: { webhooks: InstanceStatus["webhooks"] }) {
  const texts = instanceWords.value;
  const { endpoints, failing, pending, lagSeconds } = webhooks;
  if (endpoints === 0) return <Fact name={texts.webhooks}>{texts.noWebhooks}</Fact>;
  const isLate = lagSeconds > WEBHOOK_LAG_SECONDS_MAX;
  return (
    <Fact
      name={texts.webhooks}
      warning={isLate ? toDelay(lagSeconds) : failing > 0 && texts.failing(toNumber(failing))}
    >
      {texts.pending(toNumber(pending))}
    </Fact>
  );
}

function Mails({ mails }: { mails: InstanceStatus["mails"] }) {
  const texts = instanceWords.value;
  const { driver, waiting, sent, failed } = mails;
  return (
    <Fact
      name={texts.mails}
      tone="bad"
      warning={failed > 0 && texts.failed(toNumber(failed))}
      hint={driver === "folder" && texts.mailsInFolder}
    >
      {texts.mailCounts(toNumber(waiting), toNumber(sent))}
    </Fact>
  );
}

function Jobs({ queues }: { queues: InstanceStatus["queues"] }) {
  const texts = instanceWords.value;
  const busy = queues.filter(({ waiting, active }) => waiting + active > 0);
  return (
    <Fact name={texts.jobs}>
      {busy.length === 0
        ? texts.noJobs
        : busy.map(({ name, waiting, active }) => (
            <span key={name} class="under">
              <span class="code">{name}</span> {texts.job(toNumber(waiting), toNumber(active))}
            </span>
          ))}
    </Fact>
  );
}

function LastBackup({ backup }: { backup: InstanceStatus["backup"] }) {
  const texts = instanceWords.value;
  if (backup === null)
    return <Fact name={texts.backup} warning={texts.noBackup} hint={texts.backUp} />;
  return (
    <Fact name={texts.backup} warning={isOld(backup) && texts.oldBackup}>
      <Ago at={backup.createdAt} /> · {toSize(backup.sizeBytes)}
    </Fact>
  );
}

function toDelay(seconds: number): string {
  return instanceWords.value.late(toDuration(seconds));
}
