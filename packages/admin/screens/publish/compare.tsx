import { useState } from "preact/hooks";
import { diffPublications } from "@avow/client/operations";
import { send } from "../../api/send.ts";
import { useLoad } from "../../data/use-load.ts";
import { Dialog } from "../../ui/forms/dialog.tsx";
import { LoadView } from "../../ui/load-view.tsx";
import { changesWords } from "../../words/changes/words.ts";
import { ChangeList } from "../changes/change-list.tsx";

const OPEN = 5;

/** The versions selected for a comparison, at most two, across pages. */
export interface Choice {
  versions: readonly number[];
  toggle: (version: number) => void;
  clear: () => void;
}

/** Selecting a third version drops the first. */
export function useChoice(): Choice {
  const [versions, setVersions] = useState<readonly number[]>([]);
  return {
    versions,
    toggle: (version) =>
      setVersions(
        versions.includes(version)
          ? versions.filter((one) => one !== version)
          : [...versions, version].slice(-2),
      ),
    clear: () => setVersions([]),
  };
}

/** A checkbox that selects a version. */
export function Choose({ choice, version }: { choice: Choice; version: number }) {
  return (
    <input
      type="checkbox"
      class="choose"
      aria-label={changesWords.value.compare.choose(version)}
      checked={choice.versions.includes(version)}
      onChange={() => choice.toggle(version)}
    />
  );
}

interface CompareBarProps {
  projectId: string;
  choice: Choice;
  total: number;
}

/** The selected versions, and a button that shows the changes from the earlier to the later. */
export function CompareBar({ projectId, choice, total }: CompareBarProps) {
  const { compare } = changesWords.value;
  const [isShown, setShown] = useState(false);
  if (total < 2) return null;
  const [from, to] = choice.versions.toSorted((a, b) => a - b);
  if (from === undefined || to === undefined)
    return (
      <p class="soft compare" role="status">
        {from === undefined ? compare.hint : compare.one(from)}
      </p>
    );
  return (
    <div class="compare">
      <button type="button" class="button small" onClick={() => setShown(true)}>
        {compare.button(from, to)}
      </button>
      <button type="button" class="link" onClick={choice.clear}>
        {compare.clear}
      </button>
      {isShown && (
        <Compared projectId={projectId} from={from} to={to} onClose={() => setShown(false)} />
      )}
    </div>
  );
}

interface ComparedProps {
  projectId: string;
  from: number;
  to: number;
  onClose: () => void;
}

function Compared({ projectId, from, to, onClose }: ComparedProps) {
  const { compare } = changesWords.value;
  const loaded = useLoad(
    () => send(diffPublications, { path: { projectId, from: String(from), to: String(to) } }),
    [projectId, from, to],
  );
  return (
    <Dialog title={compare.title(from, to)} onClose={onClose}>
      <LoadView of={loaded}>
        {(diff) => <ChangeList diff={diff} open={OPEN} none={compare.same} />}
      </LoadView>
    </Dialog>
  );
}
