import { service } from "../../harness.ts";
import { subscribe } from "../../interface/publishing.ts";

type Fields = Record<string, unknown>;

/** A banner as somebody has left it: two steps that ask. */
export const banner = {
  name: "banner-en",
  title: "Shop banner",
  language: "en",
  isDefault: true,
  steps: [
    {
      name: "welcome",
      layout: "welcome",
      topTitle: "Before you continue",
      title: "Your choice about cookies",
      message:
        "<p>This shop works without them. <strong>They stay off until you say yes.</strong></p>",
    },
    {
      name: "analytics",
      layout: "category",
      title: "Knowing what is useful",
      vendors: [
        {
          name: "matomo",
          title: "Matomo",
          shortDescription: "Counts visits.",
          domain: "matomo.org",
        },
      ],
    },
    {
      name: "media",
      layout: "category",
      title: "Films",
      vendors: [
        {
          name: "youtube",
          title: "YouTube",
          shortDescription: "Shows films.",
          domain: "youtube.com",
          policyUrl: "https://policies.google.com/privacy",
        },
      ],
    },
  ],
};

/** Makes a document of the vault; answers it. */
export async function create(
  token: string,
  resource: string,
  json: Fields,
): Promise<Fields & { id: string }> {
  const { status, body } = await service.fetch(`/v1/vault/${resource}`, { token, json });
  if (status !== 201) throw new Error(`no ${resource}: ${status} ${JSON.stringify(body)}`);
  return body;
}

/** An owner whose project, with `fields`, has a banner; in a paid organization where `isPaid`. */
export async function newBannerSite({
  isPaid = false,
  fields = {},
}: { isPaid?: boolean; fields?: Fields } = {}) {
  const user = await service.newUser();
  let organizationId: string | undefined;
  if (isPaid) {
    ({ id: organizationId } = await create(user.token, "organizations", { name: "Shops" }));
    await subscribe(organizationId, "active");
  }
  const own = organizationId === undefined ? fields : { ...fields, organizationId };
  const project = await service.newProject(user.token, own);
  const cookies = await create(user.token, "cookies", {
    ...banner,
    projectId: project.id,
  });
  const at = `/projects/${project.id}/cookies/${cookies.id}`;
  const read = async (): Promise<Fields> =>
    (await service.fetch(`/v1/vault/cookies/${cookies.id}`, { token: user.token })).body;
  return { ...user, project, cookies, at, read };
}
