import type { Webhook } from "@avow/client/operations";
import { webhookEvents } from "@avow/contract/webhooks";
import { type ConfigurationKind, listDocuments } from "../../data/documents/documents.ts";
import { useLoad } from "../../data/use-load.ts";
import { Area, Choice, Field, type Values } from "../../ui/forms/form.tsx";
import { webhookWords } from "../../words/webhooks/words.ts";
import { toName } from "../fields/titles.ts";

/** Events of an existing project. */
const events: readonly string[] = webhookEvents.filter(
  (name) => name !== "project.created" && name !== "subscription.updated",
);
const usual = ["consent.created", "consent.withdrawn"];
const kinds: readonly ConfigurationKind[] = ["cookies", "processings", "contracts"];

interface WebhookFieldsProps {
  projectId: string;
  /** The edited webhook; undefined for a new one. */
  webhook?: Webhook;
  isEventMissing: boolean;
}

/** The fields of a webhook. */
export function WebhookFields({ projectId, webhook, isEventMissing }: WebhookFieldsProps) {
  const texts = webhookWords.value;
  const chosen = new Set(webhook?.events ?? usual);
  // Events that were chosen through the API stay available.
  const offered = [...events, ...[...chosen].filter((name) => !events.includes(name))];
  const names = Object.keys(webhook?.headers ?? {});
  return (
    <>
      <Field
        name="url"
        label={texts.address}
        hint={texts.addressHint}
        placeholder="https://api.shop.example/avow"
        inputMode="url"
        value={webhook?.url}
        maxLength={2_048}
        isCode
        required
      />
      <fieldset class="checks two-columns">
        <legend>{texts.events}</legend>
        {offered.map((name) => (
          <label key={name} class="check">
            <input type="checkbox" name="events" value={name} defaultChecked={chosen.has(name)} />
            <span class="code">{name}</span>
          </label>
        ))}
      </fieldset>
      {isEventMissing && (
        <p class="fault" role="alert">
          {texts.eventNeeded}
        </p>
      )}
      <Filter projectId={projectId} {...(webhook ? { webhook } : {})} />
      <Area
        name="headers"
        label={texts.headers}
        hint={names.length > 0 ? texts.headersKept(names.join(", ")) : texts.headersHint}
        placeholder="Authorization: Bearer …"
        maxLength={20_000}
      />
      {names.length > 0 && (
        <label class="check">
          <input type="checkbox" name="clear" value="yes" />
          <span>{texts.headersClear}</span>
        </label>
      )}
    </>
  );
}

/** The filter of consent and configuration events by configuration. */
function Filter({ projectId, webhook }: { projectId: string; webhook?: Webhook }) {
  const texts = webhookWords.value;
  const loaded = useLoad(async () => {
    const lists = await Promise.all(kinds.map((kind) => listDocuments(kind, projectId)));
    return kinds.map((kind, at) => ({ kind, all: lists[at] ?? [] }));
  }, [projectId]);
  const kept = webhook?.collection ? toFilter(webhook.collection, webhook.identifier) : "";
  const found = loaded.state === "ready" ? loaded.value : [];
  const options = found.flatMap(({ kind, all }) => [
    [kind, texts.every[kind]] as const,
    ...all.map((doc) => [toFilter(kind, doc.id), `– ${toName(doc)}`] as const),
  ]);
  // The current filter stays available while the others load, and if its configuration was deleted.
  const isKnown = kept === "" || options.some(([value]) => value === kept);
  return (
    <Choice
      name="filter"
      label={texts.filter}
      value={kept}
      options={[["", texts.noFilter], ...options, ...(isKnown ? [] : [[kept, kept] as const])]}
    />
  );
}

function toFilter(collection: string, identifier: string | null): string {
  return identifier === null ? collection : `${collection}/${identifier}`;
}

/** Converts the fields to a request body, with `headers` only if some were entered or all are removed. */
export function toWebhook({ url = "", filter = "", headers = "", clear }: Values, data: FormData) {
  const [collection, identifier = null] = filter.split("/");
  const kind = kinds.find((one) => one === collection) ?? null;
  const lines = headers.split("\n").filter((line) => line.trim() !== "");
  const sent = lines.map((line) => {
    const colon = line.indexOf(":");
    const at = colon < 0 ? line.length : colon;
    return [line.slice(0, at).trim(), line.slice(at + 1).trim()] as const;
  });
  return {
    url,
    events: data.getAll("events").map(String),
    collection: kind,
    identifier,
    ...(sent.length > 0 || clear === "yes" ? { headers: Object.fromEntries(sent) } : {}),
  };
}
