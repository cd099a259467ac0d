import { readCheckpoint, readLogKeys } from "../../data/log.ts";
import { useLoad } from "../../data/use-load.ts";
import { toNumber } from "../../browser/format.ts";
import { Page } from "../../ui/page.tsx";
import { Badge, Card, Copyable, Empty } from "../../ui/parts.tsx";
import { LoadView } from "../../ui/load-view.tsx";
import { trailWords } from "../../words/trail/words.ts";
import { Consistency } from "./consistency.tsx";

/** Reads the current checkpoint and keys, and verifies the signatures in the browser. */
async function readLog() {
  const [source, logKeys, { openLog }] = await Promise.all([
    readCheckpoint(),
    readLogKeys(),
    import("./check-log.ts"),
  ]);
  if (source === undefined || !logKeys) return undefined;
  return { source, logKeys, ...(await openLog(source, logKeys)) };
}

/** The transparency log: its consistency, latest checkpoint and keys. */
export default function Log({ projectId = "" }: { projectId?: string }) {
  const { log } = trailWords.value;
  const loaded = useLoad(readLog, []);
  return (
    <Page title={log.title} lead={log.lead}>
      <LoadView of={loaded} lines={8}>
        {(found) =>
          found === undefined ? (
            <Empty icon="seal" title={log.title} text={log.none} />
          ) : (
            <div class="cards">
              <Consistency projectId={projectId} onChecked={loaded.reload} />
              <Latest log={found} />
              <Card title={log.keys} lead={log.keysLead}>
                {found.logKeys.keys.map((key) => (
                  <Key key={key} label={log.ofLog} text={key} />
                ))}
                {found.logKeys.witnesses.map((key) => (
                  <Key key={key} label={log.ofWitness} text={key} />
                ))}
              </Card>
            </div>
          )
        }
      </LoadView>
    </Page>
  );
}

function Latest({ log: found }: { log: NonNullable<Awaited<ReturnType<typeof readLog>>> }) {
  const { log } = trailWords.value;
  const { origin, size, root, signers, source } = found;
  return (
    <Card title={log.latest} lead={log.latestLead}>
      <dl class="facts">
        <div>
          <dt>{log.name}</dt>
          <dd class="code">{origin}</dd>
        </div>
        <div>
          <dt>{log.size}</dt>
          <dd>{toNumber(size)}</dd>
        </div>
        <div>
          <dt>{log.root}</dt>
          <dd class="code">{root}</dd>
        </div>
        <div>
          <dt>{log.signature}</dt>
          <dd>
            {signers === undefined ? (
              <Badge tone="bad">{log.unsigned}</Badge>
            ) : (
              <Badge tone="good">{log.signed(signers.join(", "))}</Badge>
            )}
          </dd>
        </div>
      </dl>
      <Copyable label={log.note} text={source} />
    </Card>
  );
}

function Key({ label, text }: { label: string; text: string }) {
  return (
    <div class="field">
      <h3>{label}</h3>
      <Copyable label={trailWords.value.log.key} text={text} />
    </div>
  );
}
