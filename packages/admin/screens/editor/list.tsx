import { useState } from "preact/hooks";
import { patchCookieConfiguration } from "@avow/client/operations";
import { send } from "../../api/send.ts";
import {
  type ConfigurationKind,
  type Doc,
  deleteDocument,
  listDocuments,
} from "../../data/documents/documents.ts";
import { mayWrite, readProject, readRoles } from "../../data/projects/project.ts";
import { type LoadResult, useLoad } from "../../data/use-load.ts";
import { toLanguageName } from "../../browser/format.ts";
import { go, toHref } from "../../browser/router.ts";
import { asProblem } from "../../api/problem.ts";
import { Confirm } from "../../ui/forms/confirm.tsx";
import { toFaultText } from "../../ui/forms/faults.tsx";
import { Icon } from "../../ui/icons.tsx";
import { Page } from "../../ui/page.tsx";
import { Ago, Badge, Empty } from "../../ui/parts.tsx";
import { LoadView } from "../../ui/load-view.tsx";
import { notify } from "../../ui/toast.tsx";
import { DangerLink } from "../../ui/forms/danger-link.tsx";
import { editorWords } from "../../words/editor.ts";
import { language } from "../../words/words.ts";
import { toBlank } from "../../ready-made/blank.ts";
import { copyConfiguration, createConfiguration } from "./making.ts";
import { toName } from "../fields/titles.ts";

interface ConfigurationList {
  all: Doc[];
  mayWrite: boolean;
}

/** Loads the configurations of a kind, and whether the user may change them. */
export function useConfigurations(
  kind: ConfigurationKind,
  projectId: string,
): LoadResult<ConfigurationList> {
  return useLoad(async () => {
    const [all, roles] = await Promise.all([
      listDocuments(kind, projectId),
      readRoles(projectId),
      // Loads the title for the navigation.
      readProject(projectId),
    ]);
    return { all, mayWrite: mayWrite(roles) };
  }, [kind, projectId]);
}

/** The cookie banners of a project. */
export default function CookieList({ projectId = "" }: { projectId?: string }) {
  const texts = editorWords.value.list.cookies;
  const loaded = useConfigurations("cookies", projectId);
  return (
    <Page
      title={texts.title}
      lead={texts.lead}
      actions={
        loaded.state === "ready" &&
        loaded.value.mayWrite && <Create kind="cookies" projectId={projectId} />
      }
    >
      <LoadView of={loaded} lines={6}>
        {(listed, reload) => (
          <Configurations kind="cookies" projectId={projectId} listed={listed} onChange={reload} />
        )}
      </LoadView>
    </Page>
  );
}

/** Runs an action and shows a notification if it fails. */
async function attempt(does: () => Promise<void>): Promise<void> {
  try {
    await does();
  } catch (error) {
    notify(toFaultText(asProblem(error)));
  }
}

/** Creates a configuration and opens it. */
export function Create({ kind, projectId }: { kind: ConfigurationKind; projectId: string }) {
  const [isBusy, setBusy] = useState(false);
  const create = async (): Promise<void> => {
    setBusy(true);
    await attempt(async () => {
      const id = await createConfiguration(kind, toBlank(kind, projectId, language.peek()));
      go(`/projects/${projectId}/${kind}/${id}`);
    });
    setBusy(false);
  };
  return (
    <button type="button" class="button primary" disabled={isBusy} onClick={() => void create()}>
      <Icon name="plus" />
      {editorWords.value.list[kind].create}
    </button>
  );
}

interface ConfigurationsProps {
  kind: ConfigurationKind;
  projectId: string;
  listed: ConfigurationList;
  onChange: () => void;
}

/** A table of configurations with their actions. */
export function Configurations({ kind, projectId, listed, onChange }: ConfigurationsProps) {
  const { list } = editorWords.value;
  const [removed, setRemoved] = useState<Doc>();
  if (listed.all.length === 0)
    return (
      <Empty
        icon={kind === "cookies" ? "banner" : "box"}
        title={list[kind].empty}
        text={list[kind].emptyText}
      >
        {kind === "cookies" && listed.mayWrite && (
          <a class="button" href={toHref(`/projects/${projectId}/start`)}>
            {list.ready}
          </a>
        )}
      </Empty>
    );
  return (
    <div class="table-card">
      <table class="stacked">
        <thead>
          <tr>
            <th scope="col">{list.name}</th>
            <th scope="col">{list.language}</th>
            <th scope="col">{list.changed}</th>
            {listed.mayWrite && <td />}
          </tr>
        </thead>
        <tbody>
          {listed.all.map((doc) => (
            <tr key={doc.id}>
              <DescriptionCells kind={kind} projectId={projectId} doc={doc} />
              {listed.mayWrite && (
                <Actions
                  kind={kind}
                  projectId={projectId}
                  doc={doc}
                  onChange={onChange}
                  onRemove={() => setRemoved(doc)}
                />
              )}
            </tr>
          ))}
        </tbody>
      </table>
      {removed && (
        <Confirm
          title={list.removeTitle(toName(removed))}
          text={list.removeText}
          submit={list.remove}
          isDanger
          onConfirm={async () => {
            await deleteDocument(kind, removed.id);
            setRemoved(undefined);
            onChange();
          }}
          onClose={() => setRemoved(undefined)}
        />
      )}
    </div>
  );
}

interface RowProps {
  kind: ConfigurationKind;
  projectId: string;
  doc: Doc;
}

function DescriptionCells({ kind, projectId, doc }: RowProps) {
  const { list } = editorWords.value;
  const spoken = doc["language"];
  const steps = doc["steps"];
  return (
    <>
      <th scope="row">
        <a class="row-link" href={toHref(`/projects/${projectId}/${kind}/${doc.id}`)}>
          {toName(doc)}
        </a>
        {Array.isArray(steps) && <span class="soft">{list.steps(steps.length)} </span>}
        {doc["isDefault"] === true && <Badge tone="good">{list.isDefault}</Badge>}
      </th>
      <td data-label={list.language}>
        {typeof spoken === "string" ? toLanguageName(spoken) : "–"}
      </td>
      <td data-label={list.changed}>
        <Ago at={String(doc["updatedAt"])} />
      </td>
    </>
  );
}

interface ActionsProps extends RowProps {
  onChange: () => void;
  onRemove: () => void;
}

function Actions({ kind, projectId, doc, onChange, onRemove }: ActionsProps) {
  const { list } = editorWords.value;
  const copy = async (): Promise<void> => {
    const other = { title: list.copyOf(toName(doc)) };
    const id = await copyConfiguration(kind, doc, other);
    go(`/projects/${projectId}/${kind}/${id}`);
  };
  const makeDefault = async (): Promise<void> => {
    const all = await listDocuments("cookies", projectId);
    for (const one of all) {
      const isDefault = one.id === doc.id;
      if ((one["isDefault"] === true) === isDefault) continue;
      await send(patchCookieConfiguration, {
        path: { documentId: one.id },
        body: { isDefault: isDefault || null },
      });
    }
    onChange();
  };
  return (
    <td class="end">
      {kind === "cookies" && doc["isDefault"] !== true && (
        <button type="button" class="link" onClick={() => void attempt(makeDefault)}>
          {list.makeDefault}
        </button>
      )}
      <button type="button" class="link" onClick={() => void attempt(copy)}>
        {list.duplicate}
      </button>
      <DangerLink text={list.remove} onClick={onRemove} />
    </td>
  );
}
