import { useState } from "preact/hooks";
import { path, toHref } from "../../browser/router.ts";
import { tableWords } from "../../words/table/words.ts";
import { Icon } from "../icons.tsx";
import { Menu } from "./menu.tsx";
import { Field, Form } from "../forms/form.tsx";
import { notify } from "../toast.tsx";
import {
  VIEWS_MAX,
  VIEW_NAME_LENGTH_MAX,
  listSavedViews,
  removeView,
  saveView,
} from "./saved-views.ts";
import type { Column } from "./table.tsx";
import type { TableView } from "./table-view.ts";

interface ViewMenuProps<Row> {
  view: TableView;
  /** All columns, without that of actions. */
  columns: readonly Column<Row>[];
  shown: readonly string[];
}

/** The menu of a table with its columns and saved views. */
export function ViewMenu<Row>({ view, columns, shown }: ViewMenuProps<Row>) {
  const texts = tableWords.value;
  const choose = (id: string, isShown: boolean): void => {
    const next = isShown ? [...shown, id] : shown.filter((one) => one !== id);
    view.setColumns(columns.map((one) => one.id).filter((one) => next.includes(one)));
  };
  const [, ...choosable] = columns;
  return (
    <Menu
      label={
        <>
          <Icon name="sliders" />
          {texts.view}
        </>
      }
    >
      <fieldset>
        <legend>{texts.columns}</legend>
        {choosable.map(({ id, title }) => (
          <label key={id} class="check">
            <input
              type="checkbox"
              checked={shown.includes(id)}
              onChange={({ currentTarget }) => choose(id, currentTarget.checked)}
            />
            {title}
          </label>
        ))}
      </fieldset>
      <SavedViews
        view={view}
        columns={columns.flatMap(({ id }) => (shown.includes(id) ? id : []))}
      />
    </Menu>
  );
}

interface SavedViewsProps {
  view: TableView;
  columns: readonly string[];
}

function SavedViews({ view, columns }: SavedViewsProps) {
  const { name: table, query, sort, privateParameters } = view;
  const texts = tableWords.value;
  const [, setRevision] = useState(0);
  const redraw = (): void => setRevision((now) => now + 1);
  const all = listSavedViews(table);
  const save = async ({ name = "" }: Readonly<Record<string, string>>): Promise<void> => {
    const kept = new URLSearchParams(query);
    for (const one of ["page", ...privateParameters]) kept.delete(one);
    // A view of the default order keeps it, whatever the user chooses later.
    if (sort !== "") kept.set("sort", sort);
    kept.set("columns", columns.join(" "));
    const isSaved = saveView(table, { name: name.trim(), query: kept.toString() });
    notify(isSaved ? texts.viewSaved(name.trim()) : texts.viewsFull(VIEWS_MAX));
    redraw();
  };
  return (
    <section>
      <h2 class="menu-title">{texts.views}</h2>
      {all.length === 0 && <p class="hint">{texts.noViews}</p>}
      <ul class="views">
        {all.map(({ name, query: saved }) => (
          <li key={name}>
            <a href={`${toHref(path.value)}?${saved}`}>{name}</a>
            <button
              type="button"
              class="close"
              aria-label={texts.removeView(name)}
              onClick={() => {
                removeView(table, name);
                redraw();
              }}
            >
              ×
            </button>
          </li>
        ))}
      </ul>
      <Form submit={texts.saveView} onSubmit={save} isPlain isReset>
        <Field
          name="name"
          label={texts.viewName}
          maxLength={VIEW_NAME_LENGTH_MAX}
          autoComplete="off"
          required
        />
      </Form>
    </section>
  );
}
