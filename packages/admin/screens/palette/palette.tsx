import { useEffect, useId, useRef, useState } from "preact/hooks";
import { asProblem } from "../../api/problem.ts";
import { toHost } from "../../data/projects/project.ts";
import {
  type FoundProject,
  createAuditedReader,
  searchProjects,
} from "../../data/projects/projects.ts";
import { searchOrganizations } from "../../data/projects/organizations.ts";
import { listRecentProjects } from "../../data/projects/recent-projects.ts";
import { useRoles } from "../../data/projects/rights.ts";
import { Dialog } from "../../ui/forms/dialog.tsx";
import { FaultNote, toFaultText } from "../../ui/forms/faults.tsx";
import { Icon } from "../../ui/icons.tsx";
import { notify } from "../../ui/toast.tsx";
import { paletteWords } from "../../words/palette/words.ts";
import { type PaletteKind, palette } from "../frame/palette-state.ts";
import { type Entry, type EntryGroup, listEntries, toEntry } from "./entries.ts";

const SEARCH_AFTER_MS = 150;
const FOUND_MAX = 8;
const LENGTH_MAX = 100;

interface PaletteProps {
  kind: PaletteKind;
  projectId: string | undefined;
}

/**
 * The command palette: projects, screens and actions by search. A combobox with a list that is controlled from the field
 * (ARIA Authoring Practices, combobox with list autocomplete).
 */
export default function Palette({ kind, projectId }: PaletteProps) {
  return projectId === undefined ? (
    <Search kind={kind} screens={listEntries(undefined, undefined)} />
  ) : (
    <ProjectPalette kind={kind} projectId={projectId} />
  );
}

function ProjectPalette({ kind, projectId }: { kind: PaletteKind; projectId: string }) {
  const screens = listEntries(projectId, useRoles(projectId));
  return <Search kind={kind} screens={screens} projectId={projectId} />;
}

interface SearchProps {
  kind: PaletteKind;
  screens: readonly EntryGroup[];
  /** The current project, to which nobody switches. */
  projectId?: string;
}

function Search({ kind, screens, projectId }: SearchProps) {
  const texts = paletteWords.value;
  const id = useId();
  const [typed, setTyped] = useState("");
  const [at, setAt] = useState(0);
  const listed = useRef<HTMLDivElement>(null);
  const text = typed.trim();
  const search = useSearch(text, kind);
  const groups = toGroups({ text, screens, search, kind, projectId });
  const entries = groups.flatMap((group) => group.entries);
  const current = entries[Math.min(at, entries.length - 1)];
  useEffect(() => {
    listed.current?.querySelector("[aria-selected=true]")?.scrollIntoView({ block: "nearest" });
  }, [current?.id]);
  const choose = async (entry: Entry): Promise<void> => {
    closePalette();
    try {
      await entry.run();
    } catch (error) {
      notify(toFaultText(asProblem(error)));
    }
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined && entries.length > 0) {
      event.preventDefault();
      setAt((Math.min(at, entries.length - 1) + step + entries.length) % entries.length);
    } else if (event.key === "Enter" && !event.isComposing && current) {
      event.preventDefault();
      void choose(current);
    }
  };
  const optionId = (entry: Entry): string => `${id}-${entries.indexOf(entry)}`;
  return (
    <Dialog
      title={kind === "projects" ? texts.projectsTitle : texts.title}
      isBare
      onClose={closePalette}
    >
      <div class="palette-field">
        <Icon name="search" />
        <input
          type="text"
          role="combobox"
          aria-label={kind === "projects" ? texts.projectsField : texts.field}
          placeholder={kind === "projects" ? texts.projectsField : texts.field}
          aria-expanded={entries.length > 0}
          aria-controls={`${id}-list`}
          aria-autocomplete="list"
          aria-activedescendant={current && optionId(current)}
          autoComplete="off"
          spellcheck={false}
          maxLength={LENGTH_MAX}
          value={typed}
          onKeyDown={onKeyDown}
          onInput={({ currentTarget }) => {
            setTyped(currentTarget.value);
            setAt(0);
          }}
        />
      </div>
      <div
        ref={listed}
        id={`${id}-list`}
        class="palette-list"
        role="listbox"
        aria-label={texts.title}
      >
        {groups.map(({ title, entries: shown }, index) => (
          <div key={title} role="group" aria-labelledby={`${id}-group-${index}`}>
            <p id={`${id}-group-${index}`} class="side-title" role="presentation">
              {title}
            </p>
            {shown.map((entry) => (
              <div
                key={entry.id}
                id={optionId(entry)}
                class="palette-entry"
                role="option"
                aria-selected={entry === current}
                onMouseMove={() => setAt(entries.indexOf(entry))}
                onClick={() => void choose(entry)}
              >
                <Icon name={entry.icon} />
                <span class="cut">{entry.text}</span>
                {entry.hint !== undefined && <span class="soft cut">{entry.hint}</span>}
              </div>
            ))}
          </div>
        ))}
      </div>
      {search.problem && <FaultNote problem={search.problem} />}
      <p class="palette-foot soft">
        <span role="status">
          {search.isSearching
            ? texts.searching
            : entries.length === 0
              ? texts.none(text)
              : text !== "" && texts.found(entries.length)}
        </span>
        <span>{texts.keys}</span>
      </p>
    </Dialog>
  );
}

function closePalette(): void {
  palette.value = undefined;
}

interface SearchState {
  projects: readonly FoundProject[];
  /** Ids and names; only of the search for everything. */
  organizations: readonly (readonly [id: string, name: string])[];
  isSearching: boolean;
  problem: ReturnType<typeof asProblem> | undefined;
}

/** The projects and organizations that match a text, a moment after it was typed. Outdated answers are ignored. */
function useSearch(text: string, kind: PaletteKind): SearchState {
  const [search, setSearch] = useState<SearchState>({
    projects: [],
    organizations: [],
    isSearching: true,
    problem: undefined,
  });
  const [readAudited] = useState(createAuditedReader);
  useEffect(() => {
    let isWanted = true;
    setSearch((before) => ({ ...before, isSearching: true, problem: undefined }));
    const run = async (): Promise<void> => {
      try {
        const [projects, organizations] = await Promise.all([
          searchProjects({ text, limit: FOUND_MAX, readAudited }),
          kind === "projects" || text === "" ? [] : searchOrganizations(text, FOUND_MAX),
        ]);
        const found = { projects, organizations };
        if (isWanted) setSearch({ ...found, isSearching: false, problem: undefined });
      } catch (error) {
        const none = { projects: [], organizations: [] };
        if (isWanted) setSearch({ ...none, isSearching: false, problem: asProblem(error) });
      }
    };
    const timer = setTimeout(() => void run(), text === "" ? 0 : SEARCH_AFTER_MS);
    return () => {
      isWanted = false;
      clearTimeout(timer);
    };
  }, [text, kind]);
  return search;
}

interface PaletteContent {
  text: string;
  screens: readonly EntryGroup[];
  search: Pick<SearchState, "projects" | "organizations">;
  kind: PaletteKind;
  projectId: string | undefined;
}

/** The groups to show. Found projects come last: they arrive later, and must not move what is chosen. */
function toGroups({
  text,
  screens,
  search,
  kind,
  projectId,
}: PaletteContent): readonly EntryGroup[] {
  const texts = paletteWords.value;
  const organizations = search.organizations.map(([id, name]) =>
    toEntry({ to: `/organizations/${id}`, icon: "building", text: name }),
  );
  const found = search.projects.map(({ id, title, site }) => ({
    ...toEntry({ to: `/projects/${id}`, icon: "globe", text: title }),
    hint: toHost(site),
  }));
  const recent = listRecentProjects()
    .filter(([id]) => id !== projectId)
    .map(([id, title]) => toEntry({ to: `/projects/${id}`, icon: "globe", text: title }));
  const shown = kind === "projects" ? [] : screens;
  const known = new Set(recent.map(({ id }) => id));
  const groups: EntryGroup[] =
    text === ""
      ? [
          { title: texts.recent, entries: recent },
          ...shown,
          ...(kind === "projects"
            ? [{ title: texts.newest, entries: found.filter(({ id }) => !known.has(id)) }]
            : []),
        ]
      : [
          ...shown.map(({ title, entries }) => ({
            title,
            entries: entries.filter((one) => isMatch(one, text)),
          })),
          { title: texts.projects, entries: found },
          { title: texts.organizations, entries: organizations },
        ];
  return groups.filter(({ entries }) => entries.length > 0);
}

/** Whether an entry contains each word of the text, whatever the case and the accents. */
function isMatch({ text, hint = "", keywords = "" }: Entry, typed: string): boolean {
  const within = toPlainText(`${text} ${hint} ${keywords}`);
  return toPlainText(typed)
    .split(/\s+/)
    .every((word) => within.includes(word));
}

function toPlainText(text: string): string {
  return text
    .normalize("NFD")
    .replace(/\p{Mark}/gu, "")
    .toLowerCase();
}
