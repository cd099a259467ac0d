import { Type } from "typebox";
import { hrefOf, paths } from "@avow/contract/urls";
import { toScope } from "../../kernel/actor.ts";
import { isUnchanged } from "../../http/files/etags.ts";
import type { Http } from "../../http/http.ts";
import { PageQueryIn, answerPage } from "../../http/lists/pages.ts";
import { answerWrite } from "../../http/write.ts";
import { documentHref, toDocument } from "../vault/documents/documents.ts";
import type { VaultApp } from "../vault/documents/vault.ts";
import { ServiceFields } from "@avow/contract/document";
import {
  createClientProject,
  createForm,
  getClientProject,
  listClientProjects,
  patchClientProject,
  replaceClientProject,
} from "./client.ts";
import { toClientEtag } from "./projects.ts";
import { ClientProjectIn, ClientProjectOut, ClientProjectPatchIn, FormIn } from "./schema.ts";

const ClientParams = Type.Object({ id: Type.String({ maxLength: 64 }) });
const tags = ["client"];

/** Registers the projects of the Client API and their forms (specification, Client API; wire section 5). */
export function registerClientProjectRoutes(http: Http, app: VaultApp): void {
  registerReads(http, app);
  registerCreation(http, app);
  registerChanges(http, app);
  registerForms(http, app);
}

function registerReads(http: Http, app: VaultApp): void {
  http.get(
    paths.clientProjects,
    {
      schema: {
        tags,
        operationId: "listClientProjects",
        summary: "List the projects whose consents you may read",
        description: "With their documents and processing activities.",
        querystring: Type.Omit(PageQueryIn, ["sort"]),
        response: { 200: Type.Array(ClientProjectOut) },
      },
    },
    async (req, reply) => {
      const page = await listClientProjects(app, toScope(req.actor), req.query);
      return answerPage({ req, reply, publicUrl: app.publicUrl }, req.query, page);
    },
  );
  http.get(
    paths.clientProject,
    {
      schema: {
        tags,
        operationId: "getClientProject",
        summary: "Get a project",
        description: "The entry point to its tokens and consents.",
        params: ClientParams,
        response: { 200: ClientProjectOut, 304: Type.Null() },
      },
    },
    async (req, reply) => {
      const project = await getClientProject(app, toScope(req.actor), req.params.id);
      if (isUnchanged(req, reply, toClientEtag(project))) return reply.code(304).send(null);
      return project;
    },
  );
}

function registerCreation(http: Http, app: VaultApp): void {
  http.post(
    paths.clientProjects,
    {
      schema: {
        tags,
        operationId: "createClientProject",
        summary: "Create a project",
        description: "The same as `createProject`, for clients of `/client`.",
        body: ClientProjectIn,
        response: { 201: ClientProjectOut },
      },
    },
    async (req, reply) => {
      const headers = (project: ClientProjectOut) => ({
        location: hrefOf(app.publicUrl, paths.clientProject, { id: project.id }),
        ...toEtagHeader(project),
      });
      const write = { db: app.db, now: app.now, req, reply, status: 201, headers };
      return answerWrite(write, (ctx) => createClientProject(ctx, app, req.body));
    },
  );
}

function toEtagHeader(project: ClientProjectOut) {
  return { etag: toClientEtag(project) };
}

function registerChanges(http: Http, app: VaultApp): void {
  const headers = toEtagHeader;
  const shared = { tags, params: ClientParams, response: { 200: ClientProjectOut } };
  http.put(
    paths.clientProject,
    {
      schema: {
        ...shared,
        operationId: "replaceClientProject",
        summary: "Replace a project",
        description: "Without `configuration`, the project's further fields stay unchanged.",
        body: ClientProjectIn,
      },
    },
    async (req, reply) => {
      const change = { id: req.params.id, ifMatch: req.headers["if-match"], input: req.body };
      return answerWrite({ db: app.db, now: app.now, req, reply, headers }, (ctx) =>
        replaceClientProject(ctx, app, change),
      );
    },
  );
  http.patch(
    paths.clientProject,
    {
      schema: {
        ...shared,
        operationId: "patchClientProject",
        summary: "Change a project",
        description: "RFC 7396 merge patch.",
        body: ClientProjectPatchIn,
      },
    },
    async (req, reply) => {
      const change = { id: req.params.id, ifMatch: req.headers["if-match"], input: req.body };
      return answerWrite({ db: app.db, now: app.now, req, reply, headers }, (ctx) =>
        patchClientProject(ctx, app, change),
      );
    },
  );
}

function registerForms(http: Http, app: VaultApp): void {
  http.post(
    paths.clientForms,
    {
      schema: {
        tags,
        operationId: "createForm",
        summary: "Create a consent form: a cookie, processing or contract configuration",
        description: "`collection` selects the kind.",
        params: ClientParams,
        body: FormIn,
        response: { 201: ServiceFields },
      },
    },
    async (req, reply) => {
      const { collection, ...fields } = req.body;
      const form = { projectId: req.params.id, collection, fields };
      const { publicUrl } = app;
      const headers = ({ id }: { id: string }) => ({
        location: documentHref(publicUrl, { resource: collection, id }),
      });
      const write = { db: app.db, now: app.now, req, reply, status: 201, headers };
      return answerWrite(write, async (ctx) => {
        const { row, warnings } = await createForm(ctx, app, form);
        return toDocument(row, { publicUrl, tier: undefined, warnings });
      });
    },
  );
}
