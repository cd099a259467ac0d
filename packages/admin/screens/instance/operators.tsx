import { useState } from "preact/hooks";
import { type Operator, addOperator, listOperators, removeOperator } from "@avow/client/operations";
import { send } from "../../api/send.ts";
import { toDay } from "../../browser/format.ts";
import { me, readMe } from "../../data/session.ts";
import { useLoad } from "../../data/use-load.ts";
import { Confirm } from "../../ui/forms/confirm.tsx";
import { DangerLink } from "../../ui/forms/danger-link.tsx";
import { Field, Form } from "../../ui/forms/form.tsx";
import { LoadView } from "../../ui/load-view.tsx";
import { Badge, Card } from "../../ui/parts.tsx";
import { type Column, Table } from "../../ui/table/table.tsx";
import { notify } from "../../ui/toast.tsx";
import { instanceWords } from "../../words/instance/words.ts";

/** The operators of the installation. All but the last one can be removed. */
export function OperatorsCard() {
  const texts = instanceWords.value;
  const [removing, setRemoving] = useState<Operator>();
  const loaded = useLoad(() => send(listOperators), []);
  return (
    <Card title={texts.operators} lead={texts.operatorsLead}>
      <LoadView of={loaded}>
        {(operators) => (
          <>
            <Table
              caption={texts.operators}
              columns={toColumns(operators, setRemoving)}
              rows={operators}
              toKey={({ id }) => id}
              isFlush
            />
            {operators.length === 1 && <p class="hint">{texts.last}</p>}
          </>
        )}
      </LoadView>
      <Form
        submit={texts.add}
        isPlain
        isReset
        toText={({ path }) => (path === "/email" ? texts.unknown : undefined)}
        onSubmit={async ({ email = "" }) => {
          const added = await send(addOperator, { body: { email } });
          notify(texts.added(added.displayName));
          loaded.reload();
        }}
      >
        <Field name="email" label={texts.email} type="email" autoComplete="off" required />
      </Form>
      {removing && (
        <Confirm
          title={texts.removeTitle(removing.displayName)}
          text={texts.removeText}
          submit={texts.remove}
          isDanger
          onConfirm={async () => {
            await send(removeOperator, { path: { userId: removing.id } });
            setRemoving(undefined);
            notify(texts.removed(removing.displayName));
            if (removing.id === me.value?.id) await readMe();
            else loaded.reload();
          }}
          onClose={() => setRemoving(undefined)}
        />
      )}
    </Card>
  );
}

function toColumns(
  operators: readonly Operator[],
  onRemove: (operator: Operator) => void,
): readonly Column<Operator>[] {
  const texts = instanceWords.value;
  return [
    {
      id: "person",
      title: texts.person,
      cell: (one) => (
        <>
          {one.displayName} {one.id === me.value?.id && <Badge>{texts.you}</Badge>}
          <span class="soft under">{one.email ?? one.username}</span>
        </>
      ),
    },
    { id: "since", title: texts.since, text: ({ addedAt }) => toDay(addedAt) },
    {
      id: "remove",
      title: texts.remove,
      isActions: true,
      cell: (one) =>
        operators.length > 1 && (
          <DangerLink text={texts.remove} of={one.displayName} onClick={() => onRemove(one)} />
        ),
    },
  ];
}
