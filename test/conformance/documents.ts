/** The Data Protection Officer of a project (wire 2). */
export const dataProtectionOfficer = {
  title: "Data Protection Officer",
  fullname: "Ada Martin",
  organization: "Conformance Ltd",
  email: "privacy@example.com",
  address: "1 Test Street, 75001 Paris",
};

export const dataProcessor = {
  name: "Conformance Ltd",
  address: "1 Test Street, 75001 Paris",
  email: "privacy@example.com",
  website: "https://conformance.example.com",
};

export const vendor = {
  name: "site_statistics",
  title: "Site statistics",
  shortDescription: "Counts visits",
  longDescription: "Counts visits, so that the site can be improved.",
  domain: "statistics.example.com",
  policyUrl: "https://statistics.example.com/privacy",
  type: "analytics",
};

/** A cookie configuration with all that a visitor needs to know. */
export function toBanner(projectId: string, fields: object = {}): object {
  return {
    projectId,
    title: "Cookies",
    language: "en",
    steps: [
      {
        name: "welcome",
        layout: "welcome",
        title: "Cookies on this site",
        message: "<p>Choose which services may use cookies.</p>",
      },
      { name: "statistics", layout: "category", title: "Statistics", vendors: [vendor] },
    ],
    ...fields,
  };
}

/** A consent form with every field of the specification's table. */
export function toProcessing(projectId: string, fields: object = {}): object {
  return {
    projectId,
    title: "Newsletter",
    subTitle: "One mail a month",
    message: "<p>May we send you our newsletter?</p>",
    purpose: "Sending the monthly newsletter by e-mail.",
    buttons: [
      { text: "Yes", color: "primary", value: true },
      { text: "No", color: "default", value: false },
    ],
    processors: [
      {
        name: "Conformance Ltd",
        shortDescription: "Sends the newsletter",
        role: "controller",
        website: "https://conformance.example.com",
      },
    ],
    personalDataTypes: ["e-mail address"],
    automatedDecisions: false,
    consentWithdraw: "Follow the link at the end of each mail.",
    storageDuration: 24,
    accept: "I agree to receive the newsletter by e-mail.",
    language: "en",
    ...fields,
  };
}

export function toContract(projectId: string, fields: object = {}): object {
  return {
    projectId,
    file: "https://conformance.example.com/terms.pdf",
    title: "Terms of sale",
    subTitle: "Version of this year",
    name: "terms",
    message: "<p>I accept the terms of sale.</p>",
    idRequired: true,
    buttons: [{ text: "I accept", color: "primary", value: true }],
    language: "en",
    ...fields,
  };
}
