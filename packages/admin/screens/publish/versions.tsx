import { useState } from "preact/hooks";
import {
  type Publication,
  type PublishJob,
  diffPublications,
  listPublications,
  rollbackProject,
} from "@avow/client/operations";
import { send, sendWhole } from "../../api/send.ts";
import { type Role, mayWrite } from "../../data/projects/project.ts";
import { useLoad } from "../../data/use-load.ts";
import { Confirm } from "../../ui/forms/confirm.tsx";
import { toList, toSize } from "../../browser/format.ts";
import { Dialog } from "../../ui/forms/dialog.tsx";
import { Pager, usePage } from "../../ui/pager.tsx";
import { Ago, Badge, Card } from "../../ui/parts.tsx";
import { LoadView } from "../../ui/load-view.tsx";
import { publishingWords } from "../../words/publishing/words.ts";
import { words } from "../../words/words.ts";
import { ChangeList } from "../changes/change-list.tsx";
import { type Choice, Choose, CompareBar, useChoice } from "./compare.tsx";

const PER_PAGE = 10;
/** The number of groups that are open initially. */
const OPEN = 5;

interface VersionsProps {
  projectId: string;
  roles: readonly Role[];
  /** Changes after each publication; the list is then reloaded. */
  revision: string;
  onStart: (job: PublishJob) => void;
}

/** The published versions, newest first, with their changes and a rollback. */
export function VersionsCard({ projectId, roles, revision, onStart }: VersionsProps) {
  const { publish } = words.value;
  const [page, setPage] = usePage();
  const [shown, setShown] = useState<Publication>();
  const [wanted, setWanted] = useState<Publication>();
  const choice = useChoice();
  const loaded = useLoad(async () => {
    const query = { page, perPage: PER_PAGE };
    const { body, headers } = await sendWhole(listPublications, { path: { projectId }, query });
    return { all: body, total: Number(headers.get("x-total-count")) };
  }, [projectId, page, revision]);
  return (
    <Card title={publish.versions}>
      <LoadView of={loaded}>
        {({ all, total }) =>
          total === 0 ? (
            <p class="soft">{publish.noVersions}</p>
          ) : (
            <>
              <CompareBar projectId={projectId} choice={choice} total={total} />
              <Table
                all={all}
                roles={roles}
                choice={total > 1 ? choice : undefined}
                onShow={setShown}
                onWant={setWanted}
              />
              <Pager page={page} perPage={PER_PAGE} total={total} onPage={setPage} />
            </>
          )
        }
      </LoadView>
      {shown && <Changes of={shown} onClose={() => setShown(undefined)} />}
      {wanted && (
        <Rollback
          to={wanted}
          onClose={() => setWanted(undefined)}
          onStart={(job) => {
            setWanted(undefined);
            onStart(job);
          }}
        />
      )}
    </Card>
  );
}

interface TableProps {
  all: readonly Publication[];
  roles: readonly Role[];
  /** Undefined if there is nothing to compare. */
  choice: Choice | undefined;
  onShow: (of: Publication) => void;
  onWant: (to: Publication) => void;
}

function Table({ all, roles, choice, onShow, onWant }: TableProps) {
  const { publish } = words.value;
  return (
    <table class="stacked flush">
      <thead>
        <tr>
          <th scope="col">{publish.version}</th>
          <th scope="col">{publish.when}</th>
          <th scope="col">{publish.size}</th>
          <th scope="col" class="end">
            <span class="hidden">{publish.diff}</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {all.map((one) => (
          <tr key={one.version}>
            <th scope="row">
              {choice && <Choose choice={choice} version={one.version} />} {one.version}{" "}
              {one.live && <Badge tone="good">{publish.liveNow}</Badge>}
            </th>
            <td data-label={publish.when}>
              <Ago at={one.publishedAt} />
            </td>
            <td data-label={publish.size}>{toSize(one.size)}</td>
            <td class="end">
              <button type="button" class="link" onClick={() => onShow(one)}>
                {publish.diff}
                <span class="hidden"> {one.version}</span>
              </button>
              {!one.live && mayWrite(roles) && (
                <button type="button" class="link" onClick={() => onWant(one)}>
                  {publish.rollback}
                  <span class="hidden"> {one.version}</span>
                </button>
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** The changes of a version against the previous one. */
function Changes({ of, onClose }: { of: Publication; onClose: () => void }) {
  const { publish } = words.value;
  const { projectId, version } = of;
  const loaded = useLoad(async () => {
    if (version === 1) return undefined;
    const path = { projectId, from: String(version - 1), to: String(version) };
    return send(diffPublications, { path });
  }, [projectId, version]);
  return (
    <Dialog title={publish.diffTitle(version)} onClose={onClose}>
      <OverriddenNote of={of} />
      <LoadView of={loaded}>
        {(diff) =>
          diff ? <ChangeList diff={diff} open={OPEN} /> : <p class="soft">{publish.first}</p>
        }
      </LoadView>
    </Dialog>
  );
}

/** A note that an owner overrode errors, with the rules and the reason. */
function OverriddenNote({ of: { overridden } }: { of: Publication }) {
  const { force } = publishingWords.value;
  if (!overridden) return null;
  return (
    <div class="note warn">
      <p>
        {force.overridden(overridden.errors)} <span class="code">{toList(overridden.rules)}</span>
      </p>
      {overridden.reason !== undefined && <p>{overridden.reason}</p>}
    </div>
  );
}

interface RollbackProps {
  to: Publication;
  onClose: () => void;
  onStart: (job: PublishJob) => void;
}

function Rollback({ to: { projectId, version }, onClose, onStart }: RollbackProps) {
  const { publish } = words.value;
  return (
    <Confirm
      title={publish.rollbackTitle(version)}
      text={publish.rollbackText}
      submit={publish.rollbackButton(version)}
      onConfirm={async () =>
        onStart(await send(rollbackProject, { path: { projectId, version }, body: {} }))
      }
      onClose={onClose}
    />
  );
}
