import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { type Consent, getTokenConsents } from "@avow/client/operations";
import { send } from "../../api/send.ts";
import type { Offers } from "../../data/consents.ts";
import { useCursor } from "../../data/use-cursor.ts";
import { useLoad } from "../../data/use-load.ts";
import { toInstant, toLanguageName } from "../../browser/format.ts";
import { CursorPager } from "../../ui/cursor-pager.tsx";
import { Badge, Card } from "../../ui/parts.tsx";
import { LoadView } from "../../ui/load-view.tsx";
import { consentWords } from "../../words/consents/words.ts";
import { AnswerBadge } from "./answers.tsx";
import { Proof } from "./proof.tsx";

const LIMIT = 20;

interface HistoryProps {
  asked: { projectId: string; token: string; at: string | undefined };
  offers: Offers;
}

/** The answers of a token, newest first, each with its proof. */
export function History({ asked: { projectId, token, at }, offers }: HistoryProps) {
  const { person } = consentWords.value;
  const keys = [projectId, token, at];
  const cursors = useCursor(keys);
  const loaded = useLoad(() => {
    const { cursor } = cursors;
    const query = { limit: LIMIT, ...(at ? { at } : {}), ...(cursor ? { cursor } : {}) };
    return send(getTokenConsents, { path: { id: projectId, token }, query });
  }, [...keys, cursors.cursor]);
  return (
    <Card title={person.history}>
      <LoadView of={loaded} lines={4}>
        {({ history, links }) => (
          <>
            {history.length === 0 && <p class="soft">{person.never}</p>}
            <ul class="records">
              {history.map((consent) => (
                <li key={consent.consentId}>
                  <Answered consent={consent} name={offers.nameOf(consent.identifier)} />
                </li>
              ))}
            </ul>
            <CursorPager cursors={cursors} next={links.next} />
          </>
        )}
      </LoadView>
    </Card>
  );
}

/** One answer; its details are rendered when it is opened. */
function Answered({ consent, name }: { consent: Consent; name: string }) {
  const { grades } = consentWords.value;
  const [isOpen, setOpen] = useState(false);
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <AnswerBadge record={consent} />
        <span class="record-name">{name}</span>
        <Badge>{grades[consent.grade]}</Badge>
        <time class="soft" dateTime={consent.createdAt}>
          {toInstant(consent.createdAt)}
        </time>
      </summary>
      {isOpen && (
        <div class="record">
          <Facts consent={consent} />
          <Proof consent={consent} />
        </div>
      )}
    </details>
  );
}

function Facts({ consent }: { consent: Consent }) {
  const { person, answers } = consentWords.value;
  const { preferences, headers, warnings = [], value } = consent;
  const vendors = Object.entries(preferences.vendors ?? {});
  return (
    <dl class="facts">
      <Fact label={person.vendors}>
        {vendors.length > 0 && (
          <ul class="chips">
            {vendors.map(([slug, isOn]) => (
              <li key={slug}>
                <Badge tone={isOn ? "good" : "bad"}>
                  {slug}: {isOn ? answers.accepted : answers.refused}
                </Badge>
              </li>
            ))}
          </ul>
        )}
      </Fact>
      <Fact label={person.value}>
        {value !== null && value !== undefined && <code class="code">{JSON.stringify(value)}</code>}
      </Fact>
      <Fact label={person.version}>{consent.version}</Fact>
      <Fact label={person.language}>{consent.language && toLanguageName(consent.language)}</Fact>
      <Fact label={person.page}>{consent.url}</Fact>
      <Fact label={person.displayed}>{consent.displayedAt && toInstant(consent.displayedAt)}</Fact>
      <Fact label={person.country}>{headers.country}</Fact>
      <Fact label={person.browser}>{headers.userAgent}</Fact>
      <Fact label={person.signal}>{consent.signals?.gpc && "Sec-GPC: 1"}</Fact>
      <Fact label={person.warnings}>
        {warnings.length > 0 && <span lang="en">{warnings.map(toMessage).join(" ")}</span>}
      </Fact>
    </dl>
  );
}

function toMessage({ path, message }: { path: string; message: string }): string {
  return `${path} ${message}.`;
}

/** A labelled value; nothing if there is none. */
function Fact({ label, children }: { label: string; children: ComponentChildren }) {
  if (children === undefined || children === null || children === false || children === "")
    return null;
  return (
    <div>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  );
}
