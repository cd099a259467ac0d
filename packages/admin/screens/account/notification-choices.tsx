import {
  getNotificationSettings,
  listOrganizations,
  listProjects,
  setNotificationSettings,
} from "@avow/client/operations";
import { send, sendWhole } from "../../api/send.ts";
import { useLoad } from "../../data/use-load.ts";
import { getOwnZone, listZones } from "../../browser/time-zones.ts";
import { Choice, Form } from "../../ui/forms/form.tsx";
import { Card } from "../../ui/parts.tsx";
import { LoadView } from "../../ui/load-view.tsx";
import { notify } from "../../ui/toast.tsx";
import { notificationWords } from "../../words/notifications/words.ts";
import { language, languageNames, languages } from "../../words/words.ts";

const LIMIT = 100;

interface Subject {
  id: string;
  name: string;
  isOrganization: boolean;
}

type Settings = Awaited<ReturnType<typeof readChoices>>["settings"];

/** The choices about notifications, e-mails and the weekly mail. */
export function NotificationChoices() {
  const { choices: texts } = notificationWords.value;
  const loaded = useLoad(readChoices, [language.value]);
  return (
    <Card title={texts.title} lead={texts.lead}>
      <LoadView of={loaded} lines={8}>
        {({ settings, subjects, isWhole }) => (
          <Form
            submit={texts.save}
            toText={({ path }) => (path === "/timeZone" ? texts.noZone : undefined)}
            onSubmit={async (values, data) => {
              const body = {
                ...toBody(settings, subjects, data),
                timeZone: values["timeZone"] ?? "",
              };
              await send(setNotificationSettings, { body });
              loaded.reload();
              notify(texts.saved);
            }}
          >
            <Kinds settings={settings} />
            <Choice
              name="language"
              label={texts.language}
              value={settings.language}
              options={languages.map((one) => [one, languageNames[one]] as const)}
            />
            <Choice
              name="timeZone"
              label={texts.timeZone}
              hint={toZoneHint(settings)}
              value={settings.timeZone}
              options={listZones(settings.timeZone)}
            />
            {subjects.length > 0 && <Subjects subjects={subjects} settings={settings} />}
            {!isWhole && <p class="note">{texts.more}</p>}
          </Form>
        )}
      </LoadView>
    </Card>
  );
}

async function readChoices() {
  const query = { perPage: LIMIT };
  const [settings, projects, organizations] = await Promise.all([
    send(getNotificationSettings),
    sendWhole(listProjects, { query }),
    send(listOrganizations, { query }),
  ]);
  const subjects: Subject[] = [
    ...organizations.map(({ id, name = id }) => ({ id, name, isOrganization: true })),
    ...projects.body.map(({ id, title = id }) => ({ id, name: title, isOrganization: false })),
  ];
  const total = Number(projects.headers.get("x-total-count") ?? 0);
  return { settings, subjects, isWhole: total <= LIMIT };
}

/** The times of the mails, and the browser's time zone if another one is chosen. */
function toZoneHint({ timeZone }: Settings): string {
  const { timeZoneHint, ownZone } = notificationWords.value.choices;
  const own = getOwnZone();
  return timeZone === own ? timeZoneHint : `${timeZoneHint} ${ownZone(own)}`;
}

function toBody(settings: Settings, subjects: readonly Subject[], data: FormData) {
  const mails = Object.fromEntries(
    settings.kinds.map(({ kind }) => [kind, data.get(`mail ${kind}`) as "now" | "daily" | "off"]),
  );
  const shown = new Set(subjects.map(({ id }) => id));
  const pick = (name: string, isChecked: boolean): string[] =>
    subjects.flatMap(({ id }) => (data.has(`${name} ${id}`) === isChecked ? id : []));
  // Choices about documents that are not listed stay.
  const keep = (ids: readonly string[]): string[] => ids.filter((id) => !shown.has(id));
  return {
    language: data.get("language") === "fr" ? ("fr" as const) : ("en" as const),
    mails,
    muted: [...pick("notified", false), ...keep(settings.muted)],
    weekly: [...pick("weekly", true), ...keep(settings.weekly)],
  };
}

function Kinds({ settings }: { settings: Settings }) {
  const { choices: texts } = notificationWords.value;
  return (
    <div class="table-card">
      <table>
        <thead>
          <tr>
            <th scope="col">{texts.kind}</th>
            <th scope="col">{texts.mail}</th>
          </tr>
        </thead>
        <tbody>
          {settings.kinds.map(({ kind, label, mail }) => (
            <tr key={kind}>
              <th scope="row">{label}</th>
              <td>
                <select name={`mail ${kind}`} aria-label={`${texts.mail}: ${label}`}>
                  {(["now", "daily", "off"] as const).map((time) => (
                    <option key={time} value={time} selected={time === mail}>
                      {texts.times[time]}
                    </option>
                  ))}
                </select>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Subjects({ subjects, settings }: { subjects: readonly Subject[]; settings: Settings }) {
  const { choices: texts } = notificationWords.value;
  return (
    <>
      <h3>{texts.projects}</h3>
      <p class="soft">{texts.weeklyHint}</p>
      <div class="table-card">
        <table>
          <thead>
            <tr>
              <th scope="col">{texts.name}</th>
              <th scope="col">{texts.notified}</th>
              <th scope="col">{texts.weekly}</th>
            </tr>
          </thead>
          <tbody>
            {subjects.map(({ id, name, isOrganization }) => (
              <tr key={id}>
                <th scope="row">
                  {name}
                  {isOrganization && <span class="soft kind">{texts.organization}</span>}
                </th>
                <td>
                  <input
                    type="checkbox"
                    name={`notified ${id}`}
                    aria-label={texts.notifiedOf(name)}
                    defaultChecked={!settings.muted.includes(id)}
                  />
                </td>
                <td>
                  <input
                    type="checkbox"
                    name={`weekly ${id}`}
                    aria-label={texts.weeklyOf(name)}
                    defaultChecked={settings.weekly.includes(id)}
                  />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}
