import { hrefOf, paths, withHost } from "@avow/contract/urls";
import { type Static, Type } from "typebox";
import type { Http } from "../../../http/http.ts";
import { answerWrite } from "../../../http/write.ts";
import { toActorName, toScope } from "../../../kernel/actor.ts";
import { Fault } from "../../../platform/errors.ts";
import { toShortNetwork } from "../../../platform/networks.ts";
import type { OpenRate } from "../../../platform/queues/rate.ts";
import { getDocument } from "../documents/access.ts";
import { DocumentParams } from "../documents/document-routes.ts";
import { type DomainRow, hasDomain } from "./domains-store.ts";
import {
  type DomainsApp,
  checkHost,
  getDomain,
  removeDomain,
  setDomain,
  toProof,
} from "./domains.ts";

const CHECKS_PER_MINUTE_MAX = 30;
const LOOKUPS_PER_MINUTE_MAX = 600;
const tags = ["vault"];

const Host = Type.String({
  maxLength: 253,
  pattern: "^[a-z0-9][a-z0-9-]*(\\.[a-z0-9][a-z0-9-]*)*\\.[a-z][a-z0-9-]*$",
  description: "a host name in lower case; other scripts in Punycode",
  examples: ["consent.agency.example"],
});
const DomainIn = Type.Object({ host: Host }, { title: "DomainIn" });
const DomainOut = Type.Object(
  {
    host: Host,
    url: Type.String({ description: "The beginning of links to visitors' and clients' pages." }),
    isFound: Type.Boolean({
      description: "Whether it led to the service at the last check; only then, links have it.",
    }),
    fault: Type.Union([Type.String(), Type.Null()], {
      description: "Why it did not, for a sentence with the host as its subject.",
    }),
    checkedAt: Type.String({ format: "date-time" }),
    links: Type.Object({ self: Type.String(), organization: Type.String() }),
  },
  { title: "DomainOut" },
);

/** Registers the domain of an organization, and what proxies and checks ask about it. */
export function registerDomainRoutes(http: Http, app: DomainsApp & { openRate: OpenRate }): void {
  registerOwnDomain(http, app);
  registerPublic(http, app);
}

function registerOwnDomain(http: Http, app: DomainsApp & { openRate: OpenRate }): void {
  const { db, now, publicUrl } = app;
  const checks = app.openRate("domain checks", CHECKS_PER_MINUTE_MAX);
  http.get(
    paths.organizationDomain,
    {
      schema: {
        tags,
        operationId: "getDomain",
        summary: "Get the domain of an organization",
        description: "For its owners. 404 without one.",
        params: DocumentParams,
        response: { 200: DomainOut },
      },
    },
    async (req) =>
      toDomainOut(await getDomain(db, toScope(req.actor), req.params.documentId), publicUrl),
  );
  http.put(
    paths.organizationDomain,
    {
      schema: {
        tags,
        operationId: "setDomain",
        summary: "Set and check the domain of an organization",
        description:
          "For owners, in a session. The service requests the host, and stores it with the result: repeat the request to check it again. At most 30 checks a minute (429).",
        params: DocumentParams,
        body: DomainIn,
        response: { 200: DomainOut },
      },
    },
    async (req, reply) => {
      const organizationId = req.params.documentId;
      const { host } = req.body;
      const access = { resource: "organizations", id: organizationId, right: "own" } as const;
      await getDocument(db, toScope(req.actor), access);
      if (!checks.take(toActorName(req.actor)))
        throw new Fault("too-many", "Too many checks. Retry in a minute.", {
          retryAfterSeconds: 60,
        });
      const fault = await checkHost(app, host);
      return answerWrite({ db, now, req, reply }, async (ctx) =>
        toDomainOut(await setDomain(ctx, { organizationId, host, fault }), publicUrl),
      );
    },
  );
  http.delete(
    paths.organizationDomain,
    {
      schema: {
        tags,
        operationId: "removeDomain",
        summary: "Remove the domain of an organization",
        description: "New links start with the service's own address.",
        params: DocumentParams,
        response: { 204: Type.Null() },
      },
    },
    (req, reply) =>
      answerWrite({ db, now, req, reply, status: 204 }, async (ctx) => {
        await removeDomain(ctx, req.params.documentId);
        return null;
      }),
  );
}

function registerPublic(
  http: Http,
  { db, secret, openRate }: DomainsApp & { openRate: OpenRate },
): void {
  const lookups = openRate("domain lookups", LOOKUPS_PER_MINUTE_MAX);
  http.get(
    paths.domains,
    {
      schema: {
        tags,
        operationId: "findDomain",
        summary: "Look up a host among the domains of organizations",
        description:
          "For a proxy that issues certificates on demand, such as Caddy's `ask`. Public; 404 for an unknown host; limited per minute for callers of one network (429).",
        querystring: Type.Object({ domain: Type.String({ minLength: 1, maxLength: 253 }) }),
        response: { 204: Type.Null() },
      },
    },
    async (req, reply) => {
      if (!lookups.take(toShortNetwork(req.ip) ?? ""))
        throw new Fault("too-many", "Too many requests. Retry in a minute.", {
          retryAfterSeconds: 60,
        });
      if (!(await hasDomain(db, req.query.domain.toLowerCase())))
        throw new Fault("not-found", "No organization has this domain.");
      return reply.code(204).send(null);
    },
  );
  http.post(
    paths.domainChallenge,
    {
      schema: {
        tags,
        operationId: "proveInstallation",
        summary: "Prove that a host leads to this service",
        description: "The service calls it to check a domain. Public; nothing is stored.",
        body: Type.Object(
          {
            nonce: Type.String({
              pattern: "^[A-Za-z0-9_-]{16,64}$",
              examples: ["Zm9yIGEgY2hhbGxlbmdl"],
            }),
          },
          { title: "ChallengeIn" },
        ),
        response: { 200: Type.Object({ proof: Type.String() }, { title: "ChallengeOut" }) },
      },
    },
    (req) => ({ proof: toProof(secret, req.body.nonce) }),
  );
}

function toDomainOut(row: DomainRow, publicUrl: string): Static<typeof DomainOut> {
  const { organization_id: documentId, host, fault } = row;
  return {
    host,
    url: withHost(publicUrl, host),
    isFound: fault === null,
    fault,
    checkedAt: row.checked_at.toISOString(),
    links: {
      self: hrefOf(publicUrl, paths.organizationDomain, { documentId }),
      organization: hrefOf(publicUrl, paths.document, { resource: "organizations", documentId }),
    },
  };
}
