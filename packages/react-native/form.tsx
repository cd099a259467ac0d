import { useConsent, usePublishedForm } from "@avow/react/hooks";
import type { ConsentForm as PublishedForm, FormName } from "@avow/widget/headless";
import { type ReactNode, useEffect, useState } from "react";
import { View } from "react-native";
import { type ConsentColors, useColors } from "./look.ts";
import { Button, Fact, Link, Message, Paragraph, Title } from "./parts.tsx";

/** Properties of `ConsentForm`. */
export interface ConsentFormProps {
  /** The name or the identifier of a consent form or of a contract form. */
  form: FormName;
  /** Colors that replace those of the light and the dark scheme. */
  colors?: Partial<ConsentColors> | undefined;
}

/** A published consent form or contract form, which saves an answer at once. Render it only while people can see it. */
export function ConsentForm({ form, colors }: ConsentFormProps): ReactNode {
  const found = usePublishedForm(form);
  return found ? <Content form={found} colors={colors} /> : null;
}

function Content({
  form,
  colors: own,
}: {
  form: PublishedForm;
  colors: Partial<ConsentColors> | undefined;
}): ReactNode {
  const { state, showForm, answerForm } = useConsent();
  const colors = useColors(own);
  const { configuration, direction, say } = form;
  const { identifier, title, message, file } = configuration;
  const held = state.forms[identifier];
  const [isChanging, setIsChanging] = useState(false);
  const [isFailed, setIsFailed] = useState(false);
  useEffect(() => showForm(identifier), [identifier, showForm]);
  const part = { colors, direction };
  const give = async (accept: boolean, value?: unknown): Promise<void> => {
    try {
      await answerForm(identifier, accept, value);
      setIsChanging(false);
      setIsFailed(false);
    } catch {
      setIsFailed(true);
    }
  };
  const isAsking = !held || isChanging;
  return (
    <View role="group" aria-label={title ?? ""} style={{ direction, gap: 12 }}>
      <Title {...part} text={title} />
      {isAsking ? (
        <>
          <Message {...part} html={message} />
          <Facts form={form} colors={colors} />
          {file !== undefined && (
            <Paragraph {...part}>
              <Link href={file} colors={colors}>
                {say("openFile")}
              </Link>
            </Paragraph>
          )}
          {toChoices(form).map(({ text, accept, value }) => (
            <Button
              key={text}
              text={text}
              colors={colors}
              onPress={() => void give(accept, value)}
            />
          ))}
        </>
      ) : (
        <>
          <Paragraph {...part}>
            {say(held.accept ? "accepted" : held.isWithdrawn ? "withdrawn" : "refused")}
          </Paragraph>
          <Button
            isQuiet
            text={say("change")}
            colors={colors}
            onPress={() => setIsChanging(true)}
          />
          {held.accept && (
            <Button
              isQuiet
              text={say("withdraw")}
              colors={colors}
              onPress={() => void give(false)}
            />
          )}
        </>
      )}
      {isFailed && (
        <View role="alert">
          <Paragraph {...part}>{say("unsaved")}</Paragraph>
        </View>
      )}
    </View>
  );
}

/** Further information that GDPR, article 13, requires. */
function Facts({ form, colors }: { form: PublishedForm; colors: ConsentColors }): ReactNode {
  const { configuration, direction, say } = form;
  const { purpose, processors = [], personalDataTypes = [], consentWithdraw } = configuration;
  const part = { colors, direction };
  const names = processors.flatMap(({ name }) => name ?? []);
  return (
    <>
      <Fact {...part} name={say("purpose")} text={purpose} />
      <Fact {...part} name={say("processors")} text={names.join(", ")} />
      <Fact {...part} name={say("personalDataTypes")} text={personalDataTypes.join(", ")} />
      <Fact
        {...part}
        name={say("automatedDecisions")}
        text={configuration.automatedDecisionsDetails}
      />
      <Fact
        {...part}
        name={say("automatedDecisionsContact")}
        text={configuration.automatedDecisionsContact}
      />
      <Fact {...part} name={say("consentWithdraw")} text={consentWithdraw} />
    </>
  );
}

const grants = new Set<unknown>([true, "true", "accept", "yes"]);

/** The buttons of a form; one that refuses and one that accepts are always there. */
function toChoices({ configuration, say }: PublishedForm) {
  const own = (configuration.buttons ?? []).map(({ text, value }) => ({
    text,
    value,
    accept: grants.has(value),
  }));
  const refuse = { text: say("refuse"), accept: false, value: undefined };
  if (!own.some(({ accept }) => accept))
    return [refuse, { text: say("accept"), accept: true, value: undefined }];
  return own.every(({ accept }) => accept) ? [refuse, ...own] : own;
}
