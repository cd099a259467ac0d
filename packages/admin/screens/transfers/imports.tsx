import { useEffect, useState } from "preact/hooks";
import { type Import, cancelImport, listImports } from "@avow/client/operations";
import { send } from "../../api/send.ts";
import { useCursor } from "../../data/use-cursor.ts";
import { useLoad, usePolling } from "../../data/use-load.ts";
import { toNumber } from "../../browser/format.ts";
import { Confirm } from "../../ui/forms/confirm.tsx";
import { CursorPager } from "../../ui/cursor-pager.tsx";
import { Ago, Badge, Card } from "../../ui/parts.tsx";
import { LoadView } from "../../ui/load-view.tsx";
import { transferWords } from "../../words/transfers/words.ts";
import { Refused } from "./refused.tsx";

const LIMIT = 20;
const POLL_MS = 1_000;
const tones = { Pending: "plain", Active: "warn", Done: "good", Error: "bad" } as const;

interface ImportsProps {
  projectId: string;
  mayCancel: boolean;
  revision: number;
}

/** The imports of a project, newest first, with their progress. */
export function Imports({ projectId, mayCancel, revision }: ImportsProps) {
  const texts = transferWords.value;
  const cursors = useCursor([projectId]);
  const [refused, setRefused] = useState<Import>();
  const [stopping, setStopping] = useState<Import>();
  const loaded = useLoad(() => {
    const { cursor } = cursors;
    const query = { limit: LIMIT, ...(cursor ? { cursor } : {}) };
    return send(listImports, { path: { projectId }, query });
  }, [projectId, cursors.cursor]);
  useEffect(() => loaded.reload(), [revision]);
  const isRunning = loaded.state === "ready" && loaded.value.items.some(isOpen);
  usePolling(loaded, POLL_MS, isRunning);
  return (
    <Card title={texts.all}>
      <LoadView of={loaded} lines={3}>
        {({ items, links }) => (
          <>
            {items.length === 0 && <p class="soft">{texts.none}</p>}
            <ul class="records">
              {items.map((one) => (
                <li key={one.id}>
                  <Line
                    one={one}
                    onRefused={() => setRefused(one)}
                    onStop={mayCancel && isOpen(one) ? () => setStopping(one) : undefined}
                  />
                </li>
              ))}
            </ul>
            <CursorPager cursors={cursors} next={links.next} />
          </>
        )}
      </LoadView>
      {refused && <Refused of={refused} onClose={() => setRefused(undefined)} />}
      {stopping && (
        <Confirm
          title={texts.stopTitle}
          text={texts.stopText}
          submit={texts.stop}
          isDanger
          onConfirm={async () => {
            await send(cancelImport, { path: { projectId, id: stopping.id } });
            setStopping(undefined);
            loaded.reload();
          }}
          onClose={() => setStopping(undefined)}
        />
      )}
    </Card>
  );
}

function isOpen({ status }: Import): boolean {
  return status === "Pending" || status === "Active";
}

interface LineProps {
  one: Import;
  onRefused: () => void;
  onStop: (() => void) | undefined;
}

/** One import: its state, progress and counts. */
function Line({ one, onRefused, onStop }: LineProps) {
  const texts = transferWords.value;
  const counts = [
    [texts.read, one.read],
    [texts.added, one.imported],
    [texts.known, one.known],
  ] as const;
  return (
    <div class="import">
      <p>
        <Badge tone={tones[one.status]}>{texts.states[one.status]}</Badge>{" "}
        {one.dryRun && <Badge>{texts.checked}</Badge>} <strong>{one.format.toUpperCase()}</strong>{" "}
        <span class="soft">
          <Ago at={one.createdAt} />
        </span>
      </p>
      {isOpen(one) && <progress aria-label={texts.progress} value={one.progress} max={1} />}
      <dl class="counts">
        {counts.map(([label, count]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{toNumber(count)}</dd>
          </div>
        ))}
        <div>
          <dt>{texts.refused}</dt>
          <dd>
            {one.refused === 0 ? (
              "0"
            ) : (
              <button type="button" class="link" onClick={onRefused}>
                {toNumber(one.refused)}
              </button>
            )}
          </dd>
        </div>
      </dl>
      {one.message !== undefined && (
        <p class="note bad" lang="en">
          {one.message}
        </p>
      )}
      {onStop && (
        <button type="button" class="button small" onClick={onStop}>
          {texts.stop}
        </button>
      )}
    </div>
  );
}
