import { hrefOf, paths } from "@avow/contract/urls";
import { type Static, Type } from "typebox";
import type { Http } from "../../../http/http.ts";
import { PageQueryIn, answerPage } from "../../../http/lists/pages.ts";
import { answerWrite } from "../../../http/write.ts";
import { Fault } from "../../../platform/errors.ts";
import { BODY_BYTES_MAX, SuccessOut } from "../users/schema.ts";
import { claimInstance } from "./claims.ts";
import { addOperator, removeOperator } from "./operators.ts";
import type { InstanceApp } from "./ports.ts";
import { ClaimIn, OperatorIn, OperatorOut, SignupsIn, SignupsOut } from "./schema.ts";
import { readSignups, switchSignups } from "./signups.ts";
import { type OperatorRow, findOperator, listOperators } from "./store.ts";

const tags = ["auth"];
const OperatorParams = Type.Object({ userId: Type.String({ maxLength: 64 }) });
const sessionText =
  "For operators: with OPERATOR_TOKEN, or a session of an operator's account of the last 15 minutes.";

/** Registers the routes of the mode of sign-ups, and of the operators of the installation. */
export function registerInstanceRoutes(http: Http, app: InstanceApp): void {
  registerSignupModes(http, app);
  registerOperatorReads(http, app);
  registerOperatorWrites(http, app);
}

function registerSignupModes(http: Http, app: InstanceApp): void {
  const { db, now } = app;
  http.get(
    paths.signups,
    {
      schema: {
        tags,
        operationId: "getSignups",
        summary: "Get who can sign up",
        description: "Public, so that pages show a sign-up form only where it works.",
        response: { 200: SignupsOut },
      },
    },
    () => readSignups(db, app),
  );
  http.put(
    paths.signups,
    {
      bodyLimit: BODY_BYTES_MAX,
      schema: {
        tags,
        operationId: "setSignups",
        summary: "Set who can sign up",
        description: `${sessionText} Takes effect at once on every node. Answers 409 if the setting SIGNUPS decides.`,
        body: SignupsIn,
        response: { 200: SignupsOut },
      },
    },
    (req, reply) =>
      answerWrite({ db, now, req, reply }, (ctx) => switchSignups(ctx, app, req.body.mode)),
  );
}

function registerOperatorReads(http: Http, { db, publicUrl }: InstanceApp): void {
  http.get(
    paths.operators,
    {
      schema: {
        tags,
        operationId: "listOperators",
        summary: "List the operators of the installation, the first one first",
        description:
          "For operators: with OPERATOR_TOKEN, or a session of an operator's account. The holder of OPERATOR_TOKEN is not in the list.",
        querystring: PageQueryIn,
        response: { 200: Type.Array(OperatorOut) },
      },
    },
    async (req, reply) => {
      const { page, perPage } = req.query;
      const all = await listOperators(db);
      const items = all
        .slice((page - 1) * perPage, page * perPage)
        .map((one) => toOperatorOut(one, publicUrl));
      return answerPage({ req, reply, publicUrl }, req.query, { items, total: all.length });
    },
  );
  http.get(
    paths.operator,
    {
      schema: {
        tags,
        operationId: "getOperator",
        summary: "Get an operator of the installation",
        description: "For operators.",
        params: OperatorParams,
        response: { 200: OperatorOut },
      },
    },
    async (req) => {
      const operator = await findOperator(db, req.params.userId);
      if (!operator) throw new Fault("not-found", "No operator has this id.");
      return toOperatorOut(operator, publicUrl);
    },
  );
}

function registerOperatorWrites(http: Http, app: InstanceApp): void {
  const { db, now, publicUrl } = app;
  http.post(
    paths.claim,
    {
      bodyLimit: BODY_BYTES_MAX,
      schema: {
        tags,
        operationId: "claimInstance",
        summary: "Become an operator with the one-time link of the start",
        description:
          "The start prints a link while there is no operator; `avow claim` prints one at any time. A new account sends the token as `claimToken` when it signs up.",
        body: ClaimIn,
        response: { 200: SuccessOut },
      },
    },
    (req, reply) =>
      answerWrite({ db, now, req, reply }, async (ctx) => {
        await claimInstance(ctx, { token: req.body.token, path: "/token" });
        return { success: true as const };
      }),
  );
  http.post(
    paths.operators,
    {
      bodyLimit: BODY_BYTES_MAX,
      schema: {
        tags,
        operationId: "addOperator",
        summary: "Add an operator of the installation",
        description: `${sessionText} The user must have an account; a user who is an operator already stays one.`,
        body: OperatorIn,
        response: { 201: OperatorOut },
      },
    },
    (req, reply) =>
      answerWrite({ db, now, req, reply, status: 201 }, async (ctx) =>
        toOperatorOut(await addOperator(ctx, app, req.body), publicUrl),
      ),
  );
  http.delete(
    paths.operator,
    {
      schema: {
        tags,
        operationId: "removeOperator",
        summary: "Remove an operator of the installation, except the last",
        description: `${sessionText} The account stays.`,
        params: OperatorParams,
        response: { 204: Type.Null() },
      },
    },
    (req, reply) =>
      answerWrite({ db, now, req, reply, status: 204 }, async (ctx) => {
        await removeOperator(ctx, req.params.userId);
        return null;
      }),
  );
}

function toOperatorOut(row: OperatorRow, publicUrl: string): Static<typeof OperatorOut> {
  const { id, username, email } = row;
  return {
    _id: id,
    id,
    username,
    email,
    displayName: row.display_name,
    addedAt: row.operator_at.toISOString(),
    links: { self: hrefOf(publicUrl, paths.operator, { userId: id }) },
  };
}
