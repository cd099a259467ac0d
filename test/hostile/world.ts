import { readDraftDigest } from "../../packages/server/modules/publish/approval/approving.ts";
import * as fc from "fast-check";
import { insertProposal } from "../../packages/server/modules/consents/erase/proposals-store.ts";
import { insertRequest } from "../../packages/server/modules/consents/erase/requests-store.ts";
import { poll } from "../poll.ts";
import { newDocumentId } from "../../packages/server/kernel/ids.ts";
import { inTransaction } from "../../packages/server/platform/db/transaction.ts";
import { operatorToken, service } from "../harness.ts";
import { publishAndWait } from "../interface/publishing.ts";
import { erase, waitForReceipt } from "../interface/erasures.ts";
import { importFile } from "../interface/imports.ts";
import { newLink } from "../interface/persons.ts";
import { newPicture, uploadOne } from "../interface/pictures.ts";
import { waitForProof } from "../interface/proofs.ts";
import { collect } from "../interface/site.ts";
import { keepOpen } from "../resources.ts";
import { openStandIn } from "../stand-ins/http.ts";
import { newInvitations, newOneTimeTokens, newUsedValidation } from "./tokens.ts";
import type { Operation } from "./operations.ts";
import type { KnownValues } from "./values.ts";

type User = Awaited<ReturnType<typeof service.newUser>>;

/** A comment, a decision and a link of a project that no test changes, with the digest of its draft. */
interface Review {
  projectId: string;
  cookies: string;
  commentId: string;
  decisionId: string;
  reviewLinkId: string;
  digest: string;
}

/** A user with one document of each resource, in a paid organization, and other users. */
export interface World {
  owner: User;
  /** A user whom the owner may add to documents. */
  guest: User;
  /** Operators of the service. */
  operators: string[];
  organizationId: string;
  /** Configurations belong to this one; no test writes it. */
  projectId: string;
  /** A document of each resource for tests to write, by the path of its list. */
  documents: ReadonlyMap<string, string>;
  vendorIds: string[];
  /** An import that has ended, with a rejected line. */
  importId: string;
  /** An export of the project's consents. */
  exportId: string;
  /** An erasure that is in the log. */
  erasureId: string;
  /** A scan that was cancelled. */
  scanId: string;
  template: TemplateIds;
  /** A consent that is in the log, of the token visitor-1. */
  consentId: string;
  /** An unused picture. */
  assetId: string;
  /** An enabled webhook with a delivery. */
  webhookId: string;
  deliveryId: string;
  /** A link to the page of the token visitor-1. */
  linkId: string;
  requestId: string;
  /** The review of the project's draft. */
  review: Review;
  /** Another owner's proposals to erase, by the operation that decides it. */
  proposals: Readonly<Record<string, string>>;
  /** Each resets a password, once. */
  resetTokens: string[];
  /** Each is exchanged for a session, once. */
  codes: string[];
  /** Each is an invitation to the project, once. */
  invitations: string[];
  /** Each is the link of an offered project, once. */
  transfers: string[];
  /** It has confirmed the owner's address. */
  validation: string;
}

/** A template with a site, and a publication that has ended. */
interface TemplateIds {
  templateId: string;
  siteId: string;
  /** The site's banner. */
  inheritedId: string;
  publicationId: string;
}

const token = "visitor-1";
const password = "correct horse";

/** Number of one-time tokens of each kind. */
const TOKENS = 60;
const OPERATORS = 4;
const TRANSFERS = 12;
const HOUR_MS = 3_600_000;
/** The domain of a world's organization, which leads to no service. */
export const unreachableHost = "private.avow.test";
/** Accepts every webhook delivery. */
const receiver = await openStandIn((_req, res) => void res.end());
keepOpen(receiver);
const webhookUrl = `${receiver.url}/`;
/** A page with a configuration of another consent product. */
const oldSite = await openStandIn(
  (_req, res) =>
    void res.end("<!doctype html><script>tarteaucitron.init({ privacyUrl: '' })</script>"),
);
keepOpen(oldSite);

/** Creates a world with its own users and projects. */
export async function newWorld(operations: readonly Operation[]): Promise<World> {
  const owner = await service.newUser();
  const guest = await service.newUser();
  const operators = await newOperators();
  const create = async (path: string, json: object): Promise<string> => {
    const { status, body } = await service.fetch(path, { token: owner.token, json });
    if (status !== 201) throw new Error(`no ${path}: ${status} ${JSON.stringify(body)}`);
    return body.id;
  };
  const organizationId = await create("/v1/vault/organizations", { name: "Shops" });
  await subscribe(organizationId);
  await setDomain(organizationId, owner.token);
  const shop = { websiteURL: "https://shop.example", title: "Shop", organizationId };
  const projectId = await create("/v1/vault/projects", shop);
  const vendorIds = await Promise.all(
    ["one", "two", "three"].map((name) => create("/v1/vault/vendors", { name, projectId })),
  );
  const documents = new Map<string, string>();
  for (const path of operations.filter(isCollection).map((operation) => operation.path))
    documents.set(path, await create(path, { ...shop, projectId, name: "document" }));
  await publishAndWait(owner.token, projectId, { force: true });
  const { id: importId } = await importFile(
    { id: projectId, token: owner.token },
    "token;collection;identifier;accept;date\nrefused\n",
  );
  const { headers } = await service.fetch(`/v1/app/exports/${projectId}.csv`, {
    token: owner.token,
  });
  const exportId = headers.get("x-export-id") ?? "";
  const cookies = documents.get("/v1/vault/cookies") ?? "";
  const sent = await collect({ id: projectId }, "cookies", cookies, { token, accept: true });
  const { consentId } = sent.body;
  await waitForProof(consentId, token);
  const site = { id: projectId, token: owner.token };
  await collect(site, "cookies", cookies, { token: "erased", accept: true });
  const { body: erasure } = await erase(site, "erased");
  await waitForReceipt(site, erasure.links.self);
  const erasureId = erasure.id;
  const { id: assetId } = await uploadOne(owner.token, {
    bytes: await newPicture().png().toBuffer(),
  });
  const events = ["project.created"];
  const webhookId = await create("/v1/webhooks", { url: webhookUrl, events });
  const tested = await service.fetch(`/v1/webhooks/${webhookId}/test`, {
    method: "POST",
    token: owner.token,
  });
  const deliveryId = tested.body.id;
  const hooks = { webhookId, deliveryId };
  const { id: linkId } = await newLink({ id: projectId }, token);
  const requestId = newDocumentId(service.clock.now());
  await inTransaction(service.data, (tx) =>
    insertRequest(tx, {
      id: requestId,
      project_id: projectId,
      token,
      requested_at: service.clock.now(),
    }),
  );
  const proposals = await newProposals(site, cookies, guest.id);
  const scanId = await newScan(projectId, owner.token);
  const review = await newReview(shop, create);
  const template = await newTemplate(owner.token, create, organizationId);
  const resetTokens = await newOneTimeTokens("reset", 2 * TOKENS);
  const codes = await newOneTimeTokens("exchange", 2 * TOKENS);
  const invitations = await newInvitations(TOKENS, { projectId, ownerId: owner.id });
  const transfers = await newTransfers(create, owner.token);
  await offerTo(documents.get("/v1/vault/projects") ?? "", owner.token);
  const validation = await newUsedValidation(owner);
  const tokens = { resetTokens, codes, invitations, transfers, validation };
  const ids = { organizationId, projectId, importId, exportId, consentId, erasureId, assetId };
  return {
    owner,
    guest,
    operators,
    documents,
    vendorIds,
    linkId,
    requestId,
    proposals,
    scanId,
    review,
    template,
    ...ids,
    ...hooks,
    ...tokens,
  };
}

/** Proposals to erase a token each, by a user who is no caller of the tests. */
async function newProposals(
  site: { id: string },
  cookies: string,
  proposedBy: string,
): Promise<Record<string, string>> {
  const now = service.clock.now();
  const proposals: Record<string, string> = {};
  for (const operationId of ["confirmErasure", "rejectErasure"]) {
    await collect(site, "cookies", cookies, { token: operationId, accept: true });
    const id = newDocumentId(now);
    const row = { id, project_id: site.id, token: operationId, proposed_by: proposedBy };
    const expires = new Date(now.getTime() + HOUR_MS);
    await inTransaction(service.data, (tx) =>
      insertProposal(tx, { ...row, proposed_at: now, expires_at: expires }),
    );
    proposals[operationId] = id;
  }
  return proposals;
}

async function newTemplate(
  ownerToken: string,
  create: (path: string, json: object) => Promise<string>,
  organizationId: string,
): Promise<TemplateIds> {
  const site = { websiteURL: "https://site.example", title: "Site", organizationId };
  const templateId = await create("/v1/vault/projects", { ...site, isTemplate: true });
  const banner = { projectId: templateId, name: "banner" };
  await create("/v1/vault/cookies", banner);
  const siteId = await create("/v1/vault/projects", { ...site, templateId });
  const get = async (path: string) => (await service.fetch(path, { token: ownerToken })).body;
  const [inherited] = await get(`/v1/vault/cookies?projectId=${siteId}`);
  const publications = `/v1/publish/templates/${templateId}/publications`;
  const { body } = await service.fetch(publications, { token: ownerToken, json: {} });
  await poll({
    read: () => get(body.links.self),
    isRight: ({ endedAt }) => endedAt !== null,
    waitMs: 30_000,
    toMessage: (last) => `the publication does not end: ${JSON.stringify(last)}`,
  });
  return { templateId, siteId, inheritedId: inherited.id, publicationId: body.id };
}

/** A scan that was cancelled before its start; an unknown id on a machine without Chromium. */
async function newScan(projectId: string, ownerToken: string): Promise<string> {
  const path = `/v1/publish/projects/${projectId}/scans`;
  const started = await service.fetch(path, { method: "POST", token: ownerToken });
  if (started.status === 409) return "0".repeat(24);
  const { id } = started.body;
  await service.fetch(`${path}/${id}`, { method: "DELETE", token: ownerToken });
  return id;
}

async function newReview(
  shop: object,
  create: (path: string, json: object) => Promise<string>,
): Promise<Review> {
  const projectId = await create("/v1/vault/projects", shop);
  const cookies = await create("/v1/vault/cookies", { projectId, name: "document" });
  const path = `/v1/reviews/${projectId}`;
  const commentId = await create(`${path}/comments`, { text: "A comment" });
  const reviewLinkId = await create(`${path}/links`, { recipient: "Dr. Weber" });
  const digest = await service.db.transaction().execute((tx) => readDraftDigest(tx, projectId));
  const decision = { digest, decision: "approved" };
  const decisionId = await create(`${path}/decisions`, decision);
  return { projectId, cookies, commentId, decisionId, reviewLinkId, digest };
}

/** The tokens of offers of projects outside of organizations. */
async function newTransfers(
  create: (path: string, json: object) => Promise<string>,
  ownerToken: string,
): Promise<string[]> {
  const tokens: string[] = [];
  for (let n = 0; n < TRANSFERS; n += 1) {
    const site = { websiteURL: "https://offered.example", title: "Offered" };
    tokens.push(await offerTo(await create("/v1/vault/projects", site), ownerToken));
  }
  return tokens;
}

async function offerTo(projectId: string, ownerToken: string): Promise<string> {
  const { body } = await service.fetch(`/v1/vault/projects/${projectId}/transfer`, {
    token: ownerToken,
    json: { email: `${newDocumentId(service.clock.now())}@example.org` },
  });
  return body.transferToken.value;
}

async function newOperators(): Promise<string[]> {
  const ids: string[] = [];
  for (let n = 0; n < OPERATORS; n += 1) {
    const { id } = await service.newUser();
    const json = { userId: id };
    await service.fetch("/v1/auth/operators", { token: operatorToken, json });
    ids.push(id);
  }
  return ids;
}

/** Whether an operation creates a document in the vault. */
function isCollection({ method, path, tags }: Operation): boolean {
  return method === "POST" && tags.includes("vault") && /^\/v1\/(vault|content)\/\w+$/.test(path);
}

async function setDomain(organizationId: string, ownerToken: string): Promise<void> {
  const path = `/v1/vault/organizations/${organizationId}/domain`;
  const json = { host: unreachableHost };
  const request = { method: "PUT", token: ownerToken, json } as const;
  const { status } = await service.fetch(path, request);
  if (status !== 200) throw new Error(`no domain: ${status}`);
}

async function subscribe(organizationId: string): Promise<void> {
  const now = service.clock.now();
  await service.db
    .insertInto("subscriptions")
    .values({
      organization_id: organizationId,
      plan: "pro",
      status: "active",
      current_period_end: null,
      updated_at: now,
    })
    .execute();
}

/** Values in a body of `operation` that depend on the world. */
export function knownOf(world: World, operation: Operation): KnownValues {
  const constant = (...values: unknown[]) => fc.constantFrom(...values);
  const own = {
    projectId: constant(world.projectId),
    organizationId: constant(world.organizationId),
    id: constant(...world.vendorIds),
    url: fc.webUrl(),
    // The layout iab needs vendors of IAB's list, without which the project has no content to preview.
    layout: constant("welcome", "category", "info", "soft_consent"),
    publishAt: constant(new Date(service.clock.now().getTime() + HOUR_MS).toISOString()),
  };
  if (operation.path.startsWith("/v1/auth/")) return accountOf(world, operation);
  if (operation.operationId === "readMoveInFiles") return { url: constant(oldSite.url) };
  if (operation.operationId === "createPersonLink")
    return {
      token: constant(token),
      expiresAt: constant(new Date(service.clock.now().getTime() + HOUR_MS).toISOString()),
    };
  if (operation.operationId === "decideOnDraft") return { digest: constant(world.review.digest) };
  if (operation.operationId === "createComment")
    return { configurationId: constant(world.review.cookies) };
  if (operation.operationId === "createReviewLink") return { mayApprove: constant(false) };
  if (operation.operationId === "requestReview") return { reviewers: constant([]) };
  // Switched on, erasures of later tests would wait.
  if (operation.operationId === "setErasureRule") return { needsSecondPerson: constant(false) };
  if (operation.operationId === "publishTemplateSites")
    return { sites: constant([world.template.siteId]) };
  if (operation.operationId === "setNotificationSettings")
    return {
      timeZone: constant("Europe/Paris"),
      muted: constant([]),
      weekly: constant([world.projectId]),
    };
  if (operation.operationId === "setDomain") return { host: constant(unreachableHost) };
  if (operation.operationId === "offerProject")
    return { email: fc.emailAddress(), organizationId: constant(undefined) };
  if (operation.operationId === "mailSnippet") return { email: fc.emailAddress() };
  if (operation.operationId === "setSubscription") return { ...own, plan: constant("pro") };
  if (operation.path.startsWith("/v1/webhooks"))
    return {
      ...own,
      url: constant(webhookUrl),
      uri: constant(webhookUrl),
      enabled: constant(true),
      event: constant("consent.created"),
      events: constant(["project.created"]),
      headers: constant({ "x-key": "value" }),
      since: constant(new Date(service.clock.now().getTime() - HOUR_MS).toISOString()),
    };
  if (operation.path.endsWith("/users"))
    return { ...own, userId: constant(world.guest.id), email: constant(world.guest.email) };
  return own;
}

/** The same for the owner's account. */
function accountOf(world: World, { operationId }: Operation): KnownValues {
  const constant = (...values: unknown[]) => fc.constantFrom(...values);
  const invitationToken = constant(...world.invitations);
  const signup = {
    email: fc.emailAddress(),
    username: fc.stringMatching(/^[a-z][a-z0-9]{11,30}$/),
    invitationToken,
    // The first use of a claim ends all.
    claimToken: constant(undefined),
  };
  const signin = { username: constant(world.owner.email), password: constant(password) };
  const known: Record<string, KnownValues> = {
    signup,
    // The rule of the screens applies.
    startSessionBySignup: { ...signup, password: constant("a long sentence, not common") },
    signin,
    startSession: signin,
    updatePassword: {
      current: constant(password),
      new: constant(password),
      confirm: constant(password),
    },
    askPasswordReset: { resetUrl: constant("https://admin.example/reset") },
    confirmSession: { password: constant(password) },
    createApiKey: {
      projectId: constant(world.projectId),
      expiresAt: constant(new Date(service.clock.now().getTime() + HOUR_MS).toISOString()),
      scopes: fc.subarray(["vault:read", "consents:write"], { minLength: 1 }),
    },
    exchangeCode: { code: constant(...world.codes.slice(0, TOKENS)) },
    startSessionByCode: { code: constant(...world.codes.slice(TOKENS)) },
    resetPassword: { token: constant(...world.resetTokens.slice(0, TOKENS)) },
    startSessionByReset: { token: constant(...world.resetTokens.slice(TOKENS)) },
    // Other tests of the run sign up.
    setSignups: { mode: constant("open") },
    addOperator: { userId: constant(world.operators[0]), email: constant(world.guest.email) },
    invite: {
      email: fc.emailAddress(),
      data: constant({ collection: "projects", id: world.projectId }),
    },
  };
  return known[operationId] ?? {};
}

/** Removing operators leaves the first one, since the last cannot be removed. */
function userOf({ guest, operators }: World, { path, method }: Operation): string {
  if (!path.includes("/operators/")) return guest.id;
  const removed = method === "DELETE" && operators.length > 1 ? operators.pop() : undefined;
  return removed ?? operators[0] ?? "";
}

function idOf(world: World, { path }: Operation): string {
  const { importId, erasureId, assetId, webhookId, projectId } = world;
  if (path.includes("/webhooks/")) return webhookId;
  if (path.includes("/assets/")) return assetId;
  if (path.includes("/erasures/")) return erasureId;
  return path.includes("/imports/") ? importId : projectId;
}

/** A one-time token of a path is used by writes. */
function toToken({ invitations, transfers }: World, { path, method }: Operation): string {
  if (path.includes("/invitations/")) return invitations.pop() ?? "";
  if (!path.includes("/transfers/")) return token;
  return (method === "GET" ? transfers.at(0) : transfers.pop()) ?? "unknown";
}

/** Path parameters at which `operation` finds its resource. */
function documentOf(world: World, { path }: Operation): string {
  if (path.includes("/inheritance")) return world.template.inheritedId;
  if (path.endsWith("/domain")) return world.organizationId;
  const [collection = ""] = path.split("/{", 1);
  return world.documents.get(collection) ?? "";
}

export function paramsOf(world: World, operation: Operation): Record<string, string> {
  const cookies = world.documents.get("/v1/vault/cookies") ?? "";
  const isReview = operation.path.startsWith("/v1/reviews/");
  const { siteId, inheritedId: _inherited, ...template } = world.template;
  const isInheritance = operation.path.includes("/inheritance");
  const values: Record<string, string> = {
    ...template,
    provider: "github",
    documentId: documentOf(world, operation),
    projectId: isReview ? world.review.projectId : isInheritance ? siteId : world.projectId,
    organizationId: world.organizationId,
    userId: userOf(world, operation),
    version: "1",
    from: "1",
    to: "1",
    collection: "cookies",
    identifier: cookies,
    status: "withdrawn",
    token: toToken(world, operation),
    consentId: world.consentId,
    vendor: "one",
    id: idOf(world, operation),
    format: "ndjson",
    exportId: world.exportId,
    deliveryId: world.deliveryId,
    linkId: isReview ? world.review.reviewLinkId : world.linkId,
    commentId: world.review.commentId,
    decisionId: world.review.decisionId,
    requestId: world.requestId,
    proposalId: world.proposals[operation.operationId] ?? "",
    scanId: world.scanId,
    level: "0",
    index: "000.p/1",
    size: "1",
  };
  return Object.fromEntries(
    operation.parameters
      .filter((parameter) => parameter.in === "path")
      .map(({ name }) => {
        const value = values[name];
        if (value === undefined)
          throw new Error(
            `no value for ${name} of ${operation.path}: add it to test/hostile/world.ts`,
          );
        return [name, value];
      }),
  );
}

/** The URL of `operation`, with parameters as encoded by the caller. */
export function addressOf(operation: Operation, params: Record<string, string>): string {
  return operation.path.replace(/\{(\w+)\}/g, (_, name: string) => params[name] ?? "");
}

/** Whether an operation revokes the session that it is called with. */
export function endsSession({ operationId }: Operation): boolean {
  return /^(logout|endSession$|deleteAccessTokens$)/.test(operationId);
}

/** A token to send `operation` with: one of its own if the operation revokes it. */
export async function tokenFor(world: World, operation: Operation): Promise<string | undefined> {
  if (operation.isPublic) return undefined;
  if (operation.isOperators) return operatorToken;
  if (operation.operationId === "deleteAccessTokens") return (await service.newUser()).token;
  if (!endsSession(operation)) return world.owner.token;
  const json = { username: world.owner.email, password };
  return (await service.fetch("/v1/auth/local/signin", { json })).body.token;
}
