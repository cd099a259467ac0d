import { useState } from "preact/hooks";
import {
  moveProject,
  readProjectsBeside,
  readProjectsOf,
} from "../../data/projects/organizations.ts";
import { type ShownProject, toHost } from "../../data/projects/project.ts";
import { useLoad } from "../../data/use-load.ts";
import { toHref } from "../../browser/router.ts";
import { Confirm } from "../../ui/forms/confirm.tsx";
import { Dialog } from "../../ui/forms/dialog.tsx";
import { Choice, Form } from "../../ui/forms/form.tsx";
import { Pager, usePage } from "../../ui/pager.tsx";
import { Card } from "../../ui/parts.tsx";
import { LoadView } from "../../ui/load-view.tsx";
import { type Column, Table } from "../../ui/table/table.tsx";
import { notify } from "../../ui/toast.tsx";
import { DangerLink } from "../../ui/forms/danger-link.tsx";
import { ListedState } from "../project/state-badge.tsx";
import { RemainingMembers } from "./remaining-members.tsx";
import { organizationWords } from "../../words/organizations/words.ts";
import { words } from "../../words/words.ts";

const PER_PAGE = 20;

interface ProjectsProps {
  organizationId: string;
  mayWrite: boolean;
  mayTakeOut: boolean;
}

/** The projects of an organization. Writers can move projects in; owners can remove them. */
export function ProjectsCard({ organizationId, mayWrite, mayTakeOut }: ProjectsProps) {
  const { home } = organizationWords.value;
  const [page, setPage] = usePage();
  const [isMoving, setMoving] = useState(false);
  const [removing, setRemoving] = useState<ShownProject>();
  const loaded = useLoad(
    () => readProjectsOf(organizationId, { page, perPage: PER_PAGE }),
    [organizationId, page],
  );
  const again = (): void => {
    setPage(1);
    loaded.reload();
  };
  const action = mayWrite && (
    <button type="button" class="button small" onClick={() => setMoving(true)}>
      {home.moveIn}
    </button>
  );
  return (
    <Card title={home.projects} lead={home.projectsLead} action={action}>
      <LoadView of={loaded}>
        {({ all, total }) =>
          total === 0 ? (
            <p class="soft">{home.none}</p>
          ) : (
            <>
              <Table
                caption={home.projects}
                columns={toColumns(mayTakeOut ? setRemoving : undefined)}
                rows={all}
                toKey={({ id }) => id}
                isFlush
              />
              <Pager page={page} perPage={PER_PAGE} total={total} onPage={setPage} />
            </>
          )
        }
      </LoadView>
      {isMoving && (
        <MoveIn organizationId={organizationId} onClose={() => setMoving(false)} onDone={again} />
      )}
      {removing && (
        <Confirm
          title={home.takeOutTitle(removing.title)}
          text={home.takeOutText}
          submit={home.takeOut}
          isDanger
          onConfirm={async () => {
            const { id, title } = removing;
            await moveProject(id, null);
            setRemoving(undefined);
            notify(home.takenOut(title), async () => {
              await moveProject(id, organizationId);
              again();
            });
            again();
          }}
          onClose={() => setRemoving(undefined)}
        >
          <RemainingMembers projectId={removing.id} to={null} />
        </Confirm>
      )}
    </Card>
  );
}

function toColumns(
  onTakeOut: ((project: ShownProject) => void) | undefined,
): readonly Column<ShownProject>[] {
  const { home } = organizationWords.value;
  const { projects } = words.value;
  const columns: Column<ShownProject>[] = [
    {
      id: "title",
      title: projects.one,
      cell: ({ id, title }) => (
        <a class="row-link" href={toHref(`/projects/${id}`)}>
          {title}
        </a>
      ),
    },
    { id: "site", title: home.site, text: ({ site }) => toHost(site) },
    {
      id: "state",
      title: projects.published,
      cell: (project) => <ListedState project={project} />,
    },
  ];
  if (!onTakeOut) return columns;
  return [
    ...columns,
    {
      id: "out",
      title: home.takeOut,
      isActions: true,
      cell: (one) => (
        <DangerLink text={home.takeOut} of={one.title} onClick={() => onTakeOut(one)} />
      ),
    },
  ];
}

interface MoveInProps {
  organizationId: string;
  onClose: () => void;
  onDone: () => void;
}

function MoveIn({ organizationId, onClose, onDone }: MoveInProps) {
  const { home } = organizationWords.value;
  const loaded = useLoad(() => readProjectsBeside(organizationId), [organizationId]);
  const [chosen, setChosen] = useState<string>();
  return (
    <Dialog title={home.moveIn} lead={home.moveInLead} onClose={onClose}>
      <LoadView of={loaded}>
        {(all) =>
          all[0] === undefined ? (
            <p class="soft">{home.moveInNone}</p>
          ) : (
            <Form
              submit={home.moveInButton}
              onSubmit={async ({ projectId = "" }) => {
                await moveProject(projectId, organizationId);
                const moved = all.find(({ id }) => id === projectId);
                notify(home.moved(moved?.title ?? ""));
                onClose();
                onDone();
              }}
            >
              <Choice
                name="projectId"
                label={home.which}
                value={chosen ?? all[0].id}
                onChange={setChosen}
                options={all.map(({ id, title, site }) => [id, `${title} · ${toHost(site)}`])}
              />
              <RemainingMembers projectId={chosen ?? all[0].id} to={organizationId} />
            </Form>
          )
        }
      </LoadView>
    </Dialog>
  );
}
