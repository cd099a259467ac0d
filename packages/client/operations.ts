// Written by npm run openapi from docs/reference/openapi.json: change the routes' schemas instead.

/** An operation: its method and path, and in its type its input and output. */
export type Operation<Input, Output> = readonly [method: string, path: string] & {
  readonly input?: Input;
  readonly output?: Output;
};

export type Instant = string;

export type InstanceStatus = { /** The node that answers. */ service: { version: string; /** Version of Node. */ node: string; /** Start of this node. */ startedAt: string; /** Time since then. */ uptimeSeconds: number }; database: { /** Version of PostgreSQL; two if those of two databases differ. */ version: string; /** Size of the database; with CONSENTS_DATABASE_URL, of both. */ sizeBytes: number; /** The newest migration of this version. */ migration: string; /** Migrations of this version that were not applied; 0 if current. */ missingMigrations: number; /** Applied migrations of a newer version. */ unknownMigrations: number }; /** Null if the system does not say. */ disk: { /** Free space of the disk of DATA_DIR on this node. */ freeBytes: number; /** Writes are rejected below it (DISK_RESERVE_BYTES). */ reserveBytes: number } | null; /** The transparency log. */ log: { /** Entries of the newest signed tree. */ entries: number; signedAt: string | null; /** Why no tree is signed any more: the database lacks entries of an earlier one. */ stoppedReason: string | null; /** Consents that wait for their entry, up to 100,000. */ queued: number; /** Whether there are more. */ isQueuedCut: boolean; /** Time for which they have waited. */ lagSeconds: number; /** Buckets whose database server does not respond. Their consents are not counted here. */ unavailableBuckets: (string)[] }; webhooks: { /** Webhooks. */ endpoints: number; /** Webhooks whose receiver failed in the last batch. */ failing: number; /** Deliveries that wait to be sent or retried. */ pending: number; /** Time by which the first delivery that is due is late. */ lagSeconds: number }; /** Queues of background jobs. The counts are at most five seconds old. */ queues: ({ name: string; /** Jobs that wait. */ waiting: number; /** Jobs that run. */ active: number })[]; mails: { /** `folder`: mails are written to files, since SMTP_URL is not set. */ driver: "smtp" | "folder"; /** Mails that wait to be sent or retried. */ waiting: number; /** Mails that this node handed over since its start. */ sent: number; /** Mails of this node that failed for good since its start. */ failed: number }; /** The last complete backup; null if there is none. */ backup: { /** Time of its data. */ createdAt: string; /** End of `avow backup`. */ endedAt: string; /** Its size. */ sizeBytes: number } | null };

export type User = { _id: string; id: string; username: string; /** Null when the provider returned none. */ email: string | null; /** Whether the address was confirmed with a mailed link. */ emailConfirmed: boolean; displayName: string; firstName: string | null; lastName: string | null; /** By provider; `local` for a password. The first of each provider. */ identities: { [name: string]: { /** The username of `local`. */ username?: string; /** The user's id at a provider. */ subject?: string; email: string | null } }; /** Every identity, each with the link that removes it. */ signInMethods: ({ id: string; /** `local` for a password. */ provider: string; label: string | null; createdAt: string; links: { self: string } })[]; /** Null without one. */ secondFactor: { addedAt: string; recoveryCodesLeft: number } | null; /** Whether the operator requires a second factor that the user has not added. Until then, this session can only manage the account. */ needsSecondFactor: boolean; /** Whether the user is an operator of the installation. */ operator: boolean; createdAt: string; lastSeenAt: string; links: { self: string; logout: string; tokens: string; projects: string; vault: string } };

export type Logout = { success: true; links: { signin: string } };

export type AccessToken = { _id: string; id: string; /** The kind of client that signed in, such as Firefox. */ label: string; /** Whether this request uses it. */ current: boolean; createdAt: string; lastUsedAt: string; /** Null for a key without an expiry. */ expiresAt: string | null; /** The scopes of an API key; null for a session. */ scopes: (string)[] | null; /** The project that an API key is limited to. */ projectId: string | null; links: { self: string; user: string } };

export type ApiKey = { _id: string; id: string; /** The kind of client that signed in, such as Firefox. */ label: string; /** Whether this request uses it. */ current: boolean; createdAt: string; lastUsedAt: string; /** Null for a key without an expiry. */ expiresAt: string | null; /** The scopes of an API key; null for a session. */ scopes: (string)[] | null; /** The project that an API key is limited to. */ projectId: string | null; links: { self: string; user: string }; /** The key itself. It is shown once. */ token: string };

export type Signups = { /** `open`: everyone; `invitation`: people with an invitation; `closed`: nobody. Existing accounts are not affected. */ mode: "open" | "invitation" | "closed"; /** Whether the setting SIGNUPS decides, so that operators cannot switch. */ fixed: boolean };

export type Operator = { /** The user's id. */ _id: string; /** The user's id. */ id: string; username: string; email: string | null; displayName: string; addedAt: string; links: { self: string } };

export type Success = { success: true };

export type PasswordRule = { /** Minimum number of characters. */ lengthMin: number; /** Reasons to reject a password: `short`: below the minimum length; `common`: among the most common; `context`: mostly names of the user, the service or its host; `breached`: found in a data breach. */ refused: ("short" | "common" | "context" | "breached")[]; /** The rule of the service's own pages: at least eight characters, and no common or breached password. It applies to routes under `/v1/auth/session`, to requests with a session's cookie, and to the pages under `/account`. */ screens: { /** Minimum number of characters. */ lengthMin: number; /** Reasons to reject a password: `short`: below the minimum length; `common`: among the most common; `context`: mostly names of the user, the service or its host; `breached`: found in a data breach. */ refused: ("short" | "common" | "context" | "breached")[] } };

export type PasswordChanged = { success: true; links: { self: string; logout: string; tokens: string; projects: string; vault: string } };

export type Session = { /** Send it as `Authorization: Bearer TOKEN` or `?access_token=TOKEN`. It is shown once. */ token: string; expiresAt: string; links: { self: string; logout: string; tokens: string; projects: string; vault: string } };

export type InvitationItem = { id: string; email: string; /** Only an account that has confirmed the invited address can accept. */ boundToAddress: boolean; displayName: string | null; role: "owner" | "editor" | "viewer" | "auditor"; invitedBy: { displayName: string }; createdAt: string; expiration: string; links: { /** DELETE withdraws it. */ self: string } };

export type Invited = { id: string; boundToAddress: boolean; invitationToken: { /** Shown once. */ value: string; expiration: string }; /** False where the address was mailed as many invitations today as it may be: hand the token over yourself. */ mailed: boolean };

export type Invitation = { id: string; /** Null if the invitation is bound to it. */ email: string | null; /** The address with most of it left out, such as `a…@e….org`. */ addressHint: string; /** Only an account that has confirmed the invited address can accept. */ boundToAddress: boolean; displayName: string | null; role: "owner" | "editor" | "viewer" | "auditor"; data: { collection: "projects" | "organizations"; id: string; title: string }; invitedBy: { displayName: string }; createdAt: string; expiration: string; /** The brand of the organization, if it has one. */ brand?: { name: string; /** The id of a picture. */ logo?: string; /** `#rrggbb` */ color?: string }; links: { signup: string; signin: string } };

export type Accepted = { success: true; role: "owner" | "editor" | "viewer" | "auditor"; data: { collection: "projects" | "organizations"; id: string }; links: { document: string; user: string } };

export type SecondFactorBegun = { /** For an authenticator app, in base32. It is shown once. */ secret: string; /** The `otpauth:` address with the secret, to display as a QR code. */ uri: string };

export type RecoveryCodes = { /** Each replaces a code of the app, once. They are shown once. */ recoveryCodes: (string)[] };

export type Confirmed = { /** Until then, sign-in methods can be changed. */ confirmedUntil: string };

export type Plan = { name: string; title: string; /** Layouts allowed for steps. */ layouts: (string)[]; /** Size of a published file before compression, in bytes; null: no limit. */ fileBytesMax: number | null; /** Configurations of one project; null: no limit. */ configurationsMax: number | null; /** Users of one organization and its projects; null: no limit. */ seatsMax: number | null; /** Whether the plan can be bought here. */ canBuy: boolean; links: { self: string } };

export type Invoice = { _id: string; id: string; number: string | null; status: "open" | "paid" | "uncollectible" | "void"; /** With taxes, in the currency's smallest unit. */ total: number; /** Paid, in the currency's smallest unit. */ amountPaid: number; /** To be paid, in the currency's smallest unit. */ amountDue: number; /** Refunded by credit notes, in the currency's smallest unit. */ credited: number; /** ISO 4217, in lower case. */ currency: string; createdAt: string; /** Due date; null: at once. */ dueAt: string | null; /** Date of the payment. */ paidAt: string | null; /** The provider's page of the invoice, where it can be paid, and its PDF. */ links: { page?: string; pdf?: string } };

export type OrganizationBilling = { organizationId: string; /** The plan that applies now. */ plan: string; status: "none" | "active" | "trialing" | "past_due" | "canceled" | "unpaid"; /** The end of the paid period; null: no end, or no subscription. */ currentPeriodEnd: string | null; /** Date of the unpaid invoice. */ unpaidSince: string | null; /** Date of the cancellation that an owner requested. */ cancelsAt: string | null; paymentSource?: { /** Such as card or sepa_debit. */ type: string; brand?: string; last4?: string; expiryMonth?: number; expiryYear?: number }; taxIds: ({ /** Such as eu_vat. */ type: string; value: string })[]; /** The newest ten. */ invoices: (Invoice)[]; /** Usage against the plan's limits. */ usage: { /** Users of the organization and its projects. */ seats: number; projects: number; /** Count of the project with the most. */ configurations: number }; /** The prices of plans with a fixed amount for each period. */ prices: ({ plan: string; /** Without added taxes, in the currency's smallest unit. */ amount: number; /** ISO 4217, in lower case. */ currency: string; interval: "day" | "week" | "month" | "year"; /** Number of intervals between payments. */ intervalCount: number })[]; links: { self: string; organization: string; plans: string; invoices: string; /** Buys a plan. Missing while there is a subscription, or a purchase that waits for its first payment. */ checkout?: string; /** The provider's page of the first invoice, while it waits for payment. */ bill?: string; /** Manages the subscription. Missing before the first purchase. */ portal?: string } };

export type Activity = { id: string; at: string; /** The name of the event, such as `configuration.updated`. */ event: string; actor: { /** A user's id, or the part of the service that acted. */ id: string; /** Absent for the service, and for users who are no members. */ name?: string }; member?: { /** A user's id, or the part of the service that acted. */ id: string; /** Absent for the service, and for users who are no members. */ name?: string }; document?: { id: string; /** Absent for jobs and erasures. */ resource?: string; /** Its current title. */ title?: string }; /** Versions, roles and counts. */ details: { [name: string]: unknown } };

export type TransferIn = { /** The person who gets a link by mail. Either this or `organizationId`. */ email?: string; /** the id of the organization whose owners may accept */ organizationId?: string };

export type SentTransfer = { /** 24 lower-case hexadecimal characters */ id: string; createdAt: string; expiration: string; /** Null if it is offered to an organization. */ email: string | null; /** Null if it is offered to a person. */ organizationId: string | null; links: { /** DELETE revokes it. */ self: string }; transferToken?: { /** Shown once. */ value: string; expiration: string }; /** False where the address got too many mails today: hand the token over yourself. */ mailed: boolean };

export type Transfer = { /** 24 lower-case hexadecimal characters */ id: string; createdAt: string; expiration: string; /** Null if it is offered to an organization. */ email: string | null; /** Null if it is offered to a person. */ organizationId: string | null; links: { /** DELETE revokes it. */ self: string } };

export type OfferedTransfer = { /** 24 lower-case hexadecimal characters */ id: string; createdAt: string; expiration: string; project: { title: string; websiteURL: string }; offeredBy: { displayName: string }; /** The address that it is offered to, with most of it left out. */ addressHint: string | null; /** Only an account that has confirmed the address can accept. */ boundToAddress: boolean; /** The organization that it is offered to. */ organization: { /** 24 lower-case hexadecimal characters */ id: string; name: string } | null; contents: { /** They move, with all consents and proofs. */ configurations: number; /** Vendors of the old organization that the project uses: they are copied. */ sharedVendors: number; /** Pictures and documents: they are copied. */ files: number; /** People with roles on the project or its organization: they lose access to the project. */ members: number } };

export type TransferAcceptIn = { /** the id of an organization that you own, which gets the project */ organizationId: string };

export type AcceptedTransfer = { /** 24 lower-case hexadecimal characters */ projectId: string; /** 24 lower-case hexadecimal characters */ organizationId: string; links: { project: string; organization: string } };

export type Addition = { resource: string; /** The document's id. */ id: string; title: string; roles: ("owner" | "editor" | "viewer" | "auditor")[]; addedAt: string; links: { /** A request to it shows you to the other users. */ document: string; /** DELETE leaves the document, without being shown. */ user: string } };

export type StoredItem = { /** The name; * stands for any characters. */ name: string; kind?: "cookie" | "localStorage" | "sessionStorage" | "indexedDB"; purpose?: string; duration?: string; provider?: string; /** The domain of a cookie; default: the page's host. */ domain?: string; /** The path of a cookie; default: /. */ path?: string } & { [name: string]: unknown };

export type Vendor = { /** a slug: letters, digits, dots, hyphens and underscores */ name: string; title?: string; shortDescription?: string; longDescription?: string; domain?: string; /** an http or https address without a user name */ policyUrl?: string; type?: string; /** an http or https address, or an asset's id or name */ image?: string; /** Never asked, always on. */ required?: boolean; googleConsentMode?: (string)[] | { [name: string]: unknown }; /** Uses that an opt-out ends. Default: sale, sharing, advertising. */ uses?: ("sale" | "sharing" | "advertising" | "sensitive")[]; /** Addresses of the vendor's scripts, frames and images. */ hosts?: (string)[]; /** Cookies and keys that the vendor stores on the site's own pages. */ storage?: (StoredItem)[] } & { [name: string]: unknown };

export type VendorReference = { _id?: unknown; id?: unknown; title?: string; shortDescription?: string; longDescription?: string; domain?: string; /** an http or https address without a user name */ policyUrl?: string; type?: string; /** an http or https address, or an asset's id or name */ image?: string; /** Never asked, always on. */ required?: boolean; googleConsentMode?: (string)[] | { [name: string]: unknown }; /** Uses that an opt-out ends. Default: sale, sharing, advertising. */ uses?: ("sale" | "sharing" | "advertising" | "sensitive")[]; /** Addresses of the vendor's scripts, frames and images. */ hosts?: (string)[]; /** Cookies and keys that the vendor stores on the site's own pages. */ storage?: (StoredItem)[] } & { [name: string]: unknown };

export type Step = { /** Unique in the configuration. */ name: string; title?: string; topTitle?: string; subTitle?: string; /** HTML; sanitised on write. */ message?: string; /** an http or https address, or an asset's id or name */ image?: string; layout: "welcome" | "category" | "info" | "iab" | "soft_consent"; vendors?: (Vendor | VendorReference | string)[]; strings?: { [name: string]: unknown }; /** ms */ timeout?: number; showToggleAllSwitch?: boolean } & { [name: string]: unknown };

export type RegionRule = { in: (string)[]; model: "opt-in" | "opt-out" | "notice" | "none"; title?: string; /** HTML; sanitised on write. */ message?: string; strings?: { [name: string]: unknown }; /** Whether a vendor runs before an answer, by its slug. Default: true, except in the model opt-in. */ defaults?: { [name: string]: boolean } } & { [name: string]: unknown };

export type AnswerImport = { from: "axeptio" | "c15t" | "cookiebot" | "cookieconsent" | "didomi" | "klaro" | "onetrust" | "tarteaucitron" | "usercentrics"; /** By category, service or vendor of the other tool: the slugs of the vendors that its answer is for. */ categories: { [name: string]: (string)[] }; /** the name of its cookie or storage key, if it is not the tool's default */ cookieName?: string } & { [name: string]: unknown };

export type ExtendedProject = { /** an http or https address without a user name */ websiteURL?: string; title?: string; organizationId?: string | null; /** Labels to find sites by, unique whatever their case. */ groups?: (string)[]; /** Whether other projects of the organization can follow this one, which is never published. Kept where it is left out. */ isTemplate?: boolean; /** The template that the project follows. Its configurations are those of the template. Kept where it is left out; null ends it. */ templateId?: string | null; /** In a template: the fields that its sites may change; the others are locked. Without it, fields that name a site's operator are open. */ openFields?: (string)[]; colors?: { [name: string]: unknown }; fonts?: { [name: string]: unknown }; widgetStyle?: { position?: string; borderRadius?: number | string; padding?: number | string; colorScheme?: string } & { [name: string]: unknown }; overlayStyle?: { [name: string]: unknown }; DPO?: { title?: string; fullname?: string; organization?: string; email?: string; address?: string } & { [name: string]: unknown }; dataProcessor?: { [name: string]: unknown } | string; locales?: (string)[]; /** Default: the service's setting. */ retention?: { /** For how many months a proof is kept after its answer ended to be in force. */ months: number } & { [name: string]: unknown }; /** The pages on which visitors see and change their answers. */ personPage?: { /** Whether a visitor's token is enough to make links to that visitor's own page and to ask what they answered; false: only with an access token. Default: true. */ visitorLinks?: boolean } & { [name: string]: unknown }; /** When the website is scanned. Default: on request only. */ scan?: { /** Scans the website at this interval, and mails owners and editors about new services, cookies and hosts. */ everyDays?: number; /** Scans the website after each publication. */ afterPublication?: boolean; /** Maximum number of pages of a scan. Default: 10. */ pages?: number } & { [name: string]: unknown }; documents?: ({ [name: string]: unknown })[]; processingActivities?: ({ [name: string]: unknown })[]; /** 24 lower-case hexadecimal characters */ _id: string; /** 24 lower-case hexadecimal characters */ id: string; createdAt: string; createdBy: string; updatedAt: string; updatedBy: string; version: number; links: { [name: string]: string }; /** How the stored or the published document differs from what was sent, such as elements removed from HTML. */ warnings?: ({ path: string; message: string })[]; /** As their own routes return them, with their `collection`; oldest first. */ configurations: ({ /** 24 lower-case hexadecimal characters */ projectId?: string; /** In a template: the fields that its sites may change; the others are locked. Without it, fields that name a site's operator are open. */ openFields?: (string)[]; /** Unique in the project. Without it, the service makes one from the title, else from the id. Translations of a form may share it. */ name?: string; title?: string; /** a language tag such as en or pt-BR */ language?: string; country?: string; isDefault?: boolean; steps?: (Step)[]; strings?: { [name: string]: unknown }; consentWidgetStrings?: { [name: string]: unknown }; settings?: { /** When consent expires and is asked for again. */ expiresAfterDays?: number; /** The name or id of the configuration that it is tested against. */ variantOf?: string; /** The percentage of visitors who see the variant. Default: 50. */ share?: number; /** Whether pages have IAB's GPP (`__gpp`), with the section of the United States (national, true) or of the state. Default: true on pages with a stub. Needs rules by region. */ gpp?: boolean | "national" | "state"; /** The mode of a signatory of IAB's Multi-State Privacy Agreement. Default: not signed. */ mspa?: "opt-out" | "service-provider" } & { [name: string]: unknown }; googleConsentMode?: { [name: string]: unknown }; /** How visitors of a region are asked. Without rules: opt-in everywhere. */ regions?: (RegionRule)[]; /** Answers of other consent tools that the widget adopts at the first visit. */ imports?: (AnswerImport)[]; /** 24 lower-case hexadecimal characters */ _id: string; /** 24 lower-case hexadecimal characters */ id: string; createdAt: string; createdBy: string; updatedAt: string; updatedBy: string; version: number; links: { [name: string]: string }; /** How the stored or the published document differs from what was sent, such as elements removed from HTML. */ warnings?: ({ path: string; message: string })[]; collection: string } & { [name: string]: unknown })[] } & { [name: string]: unknown };

export type SiteGroup = { name: string; /** Projects that have it. */ projects: number };

export type Project = { /** an http or https address without a user name */ websiteURL?: string; title?: string; organizationId?: string | null; /** Labels to find sites by, unique whatever their case. */ groups?: (string)[]; /** Whether other projects of the organization can follow this one, which is never published. Kept where it is left out. */ isTemplate?: boolean; /** The template that the project follows. Its configurations are those of the template. Kept where it is left out; null ends it. */ templateId?: string | null; /** In a template: the fields that its sites may change; the others are locked. Without it, fields that name a site's operator are open. */ openFields?: (string)[]; colors?: { [name: string]: unknown }; fonts?: { [name: string]: unknown }; widgetStyle?: { position?: string; borderRadius?: number | string; padding?: number | string; colorScheme?: string } & { [name: string]: unknown }; overlayStyle?: { [name: string]: unknown }; DPO?: { title?: string; fullname?: string; organization?: string; email?: string; address?: string } & { [name: string]: unknown }; dataProcessor?: { [name: string]: unknown } | string; locales?: (string)[]; /** Default: the service's setting. */ retention?: { /** For how many months a proof is kept after its answer ended to be in force. */ months: number } & { [name: string]: unknown }; /** The pages on which visitors see and change their answers. */ personPage?: { /** Whether a visitor's token is enough to make links to that visitor's own page and to ask what they answered; false: only with an access token. Default: true. */ visitorLinks?: boolean } & { [name: string]: unknown }; /** When the website is scanned. Default: on request only. */ scan?: { /** Scans the website at this interval, and mails owners and editors about new services, cookies and hosts. */ everyDays?: number; /** Scans the website after each publication. */ afterPublication?: boolean; /** Maximum number of pages of a scan. Default: 10. */ pages?: number } & { [name: string]: unknown }; documents?: ({ [name: string]: unknown })[]; processingActivities?: ({ [name: string]: unknown })[]; /** 24 lower-case hexadecimal characters */ _id: string; /** 24 lower-case hexadecimal characters */ id: string; createdAt: string; createdBy: string; updatedAt: string; updatedBy: string; version: number; links: { [name: string]: string }; /** How the stored or the published document differs from what was sent, such as elements removed from HTML. */ warnings?: ({ path: string; message: string })[] } & { [name: string]: unknown };

export type ProjectIn = { /** an http or https address without a user name */ websiteURL: string; title: string; organizationId?: string | null; /** Labels to find sites by, unique whatever their case. */ groups?: (string)[]; /** Whether other projects of the organization can follow this one, which is never published. Kept where it is left out. */ isTemplate?: boolean; /** The template that the project follows. Its configurations are those of the template. Kept where it is left out; null ends it. */ templateId?: string | null; /** In a template: the fields that its sites may change; the others are locked. Without it, fields that name a site's operator are open. */ openFields?: (string)[]; colors?: { [name: string]: unknown }; fonts?: { [name: string]: unknown }; widgetStyle?: { position?: string; borderRadius?: number | string; padding?: number | string; colorScheme?: string } & { [name: string]: unknown }; overlayStyle?: { [name: string]: unknown }; DPO?: { title?: string; fullname?: string; organization?: string; email?: string; address?: string } & { [name: string]: unknown }; dataProcessor?: { [name: string]: unknown } | string; locales?: (string)[]; /** Default: the service's setting. */ retention?: { /** For how many months a proof is kept after its answer ended to be in force. */ months: number } & { [name: string]: unknown }; /** The pages on which visitors see and change their answers. */ personPage?: { /** Whether a visitor's token is enough to make links to that visitor's own page and to ask what they answered; false: only with an access token. Default: true. */ visitorLinks?: boolean } & { [name: string]: unknown }; /** When the website is scanned. Default: on request only. */ scan?: { /** Scans the website at this interval, and mails owners and editors about new services, cookies and hosts. */ everyDays?: number; /** Scans the website after each publication. */ afterPublication?: boolean; /** Maximum number of pages of a scan. Default: 10. */ pages?: number } & { [name: string]: unknown }; documents?: ({ [name: string]: unknown })[]; processingActivities?: ({ [name: string]: unknown })[] } & { [name: string]: unknown };

export type ProjectCopyIn = { /** Whether the copy has copies of the configurations, and of the vendors and media of the project. Default: false. */ withConfigurations?: boolean; /** an http or https address without a user name */ websiteURL?: string; title?: string };

export type CookieConfiguration = { /** 24 lower-case hexadecimal characters */ projectId?: string; /** In a template: the fields that its sites may change; the others are locked. Without it, fields that name a site's operator are open. */ openFields?: (string)[]; /** Unique in the project. Without it, the service makes one from the title, else from the id. Translations of a form may share it. */ name?: string; title?: string; /** a language tag such as en or pt-BR */ language?: string; country?: string; isDefault?: boolean; steps?: (Step)[]; strings?: { [name: string]: unknown }; consentWidgetStrings?: { [name: string]: unknown }; settings?: { /** When consent expires and is asked for again. */ expiresAfterDays?: number; /** The name or id of the configuration that it is tested against. */ variantOf?: string; /** The percentage of visitors who see the variant. Default: 50. */ share?: number; /** Whether pages have IAB's GPP (`__gpp`), with the section of the United States (national, true) or of the state. Default: true on pages with a stub. Needs rules by region. */ gpp?: boolean | "national" | "state"; /** The mode of a signatory of IAB's Multi-State Privacy Agreement. Default: not signed. */ mspa?: "opt-out" | "service-provider" } & { [name: string]: unknown }; googleConsentMode?: { [name: string]: unknown }; /** How visitors of a region are asked. Without rules: opt-in everywhere. */ regions?: (RegionRule)[]; /** Answers of other consent tools that the widget adopts at the first visit. */ imports?: (AnswerImport)[]; /** 24 lower-case hexadecimal characters */ _id: string; /** 24 lower-case hexadecimal characters */ id: string; createdAt: string; createdBy: string; updatedAt: string; updatedBy: string; version: number; links: { [name: string]: string }; /** How the stored or the published document differs from what was sent, such as elements removed from HTML. */ warnings?: ({ path: string; message: string })[] } & { [name: string]: unknown };

export type CookieConfigurationIn = { /** 24 lower-case hexadecimal characters */ projectId: string; /** In a template: the fields that its sites may change; the others are locked. Without it, fields that name a site's operator are open. */ openFields?: (string)[]; /** Unique in the project. Without it, the service makes one from the title, else from the id. Translations of a form may share it. */ name?: string; title?: string; /** a language tag such as en or pt-BR */ language?: string; country?: string; isDefault?: boolean; steps?: (Step)[]; strings?: { [name: string]: unknown }; consentWidgetStrings?: { [name: string]: unknown }; settings?: { /** When consent expires and is asked for again. */ expiresAfterDays?: number; /** The name or id of the configuration that it is tested against. */ variantOf?: string; /** The percentage of visitors who see the variant. Default: 50. */ share?: number; /** Whether pages have IAB's GPP (`__gpp`), with the section of the United States (national, true) or of the state. Default: true on pages with a stub. Needs rules by region. */ gpp?: boolean | "national" | "state"; /** The mode of a signatory of IAB's Multi-State Privacy Agreement. Default: not signed. */ mspa?: "opt-out" | "service-provider" } & { [name: string]: unknown }; googleConsentMode?: { [name: string]: unknown }; /** How visitors of a region are asked. Without rules: opt-in everywhere. */ regions?: (RegionRule)[]; /** Answers of other consent tools that the widget adopts at the first visit. */ imports?: (AnswerImport)[] } & { [name: string]: unknown };

export type Processing = { /** 24 lower-case hexadecimal characters */ projectId?: string; /** In a template: the fields that its sites may change; the others are locked. Without it, fields that name a site's operator are open. */ openFields?: (string)[]; name?: string | null; title?: string; subTitle?: string; /** an http or https address, or an asset's id or name */ picture?: string; /** HTML; sanitised on write. */ message?: string; purpose?: string; accept?: string; /** a language tag such as en or pt-BR */ language?: string; buttons?: ({ text: string; color?: "primary" | "default"; value?: unknown } & { [name: string]: unknown })[]; confirmations?: { [name: string]: { title?: string; /** HTML; sanitised on write. */ message?: string; backButtonText?: string } & { [name: string]: unknown } }; processors?: ({ name?: string; shortDescription?: string; role?: string; /** an http or https address, or an asset's id or name */ website?: string } & { [name: string]: unknown })[]; personalDataTypes?: (string)[]; automatedDecisions?: boolean; automatedDecisionsContact?: string; automatedDecisionsDetails?: string; consentWithdraw?: string; /** months */ storageDuration?: number; settings?: { /** When consent expires and is asked for again. */ expiresAfterDays?: number; /** The name or id of the configuration that it is tested against. */ variantOf?: string; /** The percentage of visitors who see the variant. Default: 50. */ share?: number } & { [name: string]: unknown }; /** 24 lower-case hexadecimal characters */ _id: string; /** 24 lower-case hexadecimal characters */ id: string; createdAt: string; createdBy: string; updatedAt: string; updatedBy: string; version: number; links: { [name: string]: string }; /** How the stored or the published document differs from what was sent, such as elements removed from HTML. */ warnings?: ({ path: string; message: string })[] } & { [name: string]: unknown };

export type ProcessingIn = { /** 24 lower-case hexadecimal characters */ projectId: string; /** In a template: the fields that its sites may change; the others are locked. Without it, fields that name a site's operator are open. */ openFields?: (string)[]; name?: string | null; title?: string; subTitle?: string; /** an http or https address, or an asset's id or name */ picture?: string; /** HTML; sanitised on write. */ message?: string; purpose?: string; accept?: string; /** a language tag such as en or pt-BR */ language?: string; buttons?: ({ text: string; color?: "primary" | "default"; value?: unknown } & { [name: string]: unknown })[]; confirmations?: { [name: string]: { title?: string; /** HTML; sanitised on write. */ message?: string; backButtonText?: string } & { [name: string]: unknown } }; processors?: ({ name?: string; shortDescription?: string; role?: string; /** an http or https address, or an asset's id or name */ website?: string } & { [name: string]: unknown })[]; personalDataTypes?: (string)[]; automatedDecisions?: boolean; automatedDecisionsContact?: string; automatedDecisionsDetails?: string; consentWithdraw?: string; /** months */ storageDuration?: number; settings?: { /** When consent expires and is asked for again. */ expiresAfterDays?: number; /** The name or id of the configuration that it is tested against. */ variantOf?: string; /** The percentage of visitors who see the variant. Default: 50. */ share?: number } & { [name: string]: unknown } } & { [name: string]: unknown };

export type Contract = { /** 24 lower-case hexadecimal characters */ projectId?: string; /** In a template: the fields that its sites may change; the others are locked. Without it, fields that name a site's operator are open. */ openFields?: (string)[]; /** an http or https address, or an asset's id */ file?: string | string; title?: string; subTitle?: string; /** The checkbox's name in the surrounding form. Unique in the project. Without it, the service makes one from the title, else from the id. Translations of a form may share it. */ name?: string; /** HTML; sanitised on write. */ message?: string; /** a language tag such as en or pt-BR */ language?: string; idRequired?: boolean; buttons?: ({ text: string; color?: "primary" | "default"; value?: unknown } & { [name: string]: unknown })[]; settings?: { /** When consent expires and is asked for again. */ expiresAfterDays?: number; /** The name or id of the configuration that it is tested against. */ variantOf?: string; /** The percentage of visitors who see the variant. Default: 50. */ share?: number } & { [name: string]: unknown }; /** 24 lower-case hexadecimal characters */ _id: string; /** 24 lower-case hexadecimal characters */ id: string; createdAt: string; createdBy: string; updatedAt: string; updatedBy: string; version: number; links: { [name: string]: string }; /** How the stored or the published document differs from what was sent, such as elements removed from HTML. */ warnings?: ({ path: string; message: string })[] } & { [name: string]: unknown };

export type ContractIn = { /** 24 lower-case hexadecimal characters */ projectId: string; /** In a template: the fields that its sites may change; the others are locked. Without it, fields that name a site's operator are open. */ openFields?: (string)[]; /** an http or https address, or an asset's id */ file?: string | string; title?: string; subTitle?: string; /** The checkbox's name in the surrounding form. Unique in the project. Without it, the service makes one from the title, else from the id. Translations of a form may share it. */ name?: string; /** HTML; sanitised on write. */ message?: string; /** a language tag such as en or pt-BR */ language?: string; idRequired?: boolean; buttons?: ({ text: string; color?: "primary" | "default"; value?: unknown } & { [name: string]: unknown })[]; settings?: { /** When consent expires and is asked for again. */ expiresAfterDays?: number; /** The name or id of the configuration that it is tested against. */ variantOf?: string; /** The percentage of visitors who see the variant. Default: 50. */ share?: number } & { [name: string]: unknown } } & { [name: string]: unknown };

export type Organization = { /** `name` and `companyName` have the same value; one of them is required. */ name?: string; /** `name` and `companyName` have the same value; one of them is required. */ companyName?: string; email?: string | null; country?: string | null; line1?: string | null; line2?: string | null; city?: string | null; postalCode?: string | null; isProfessional?: boolean | null; vat?: string | null; /** Shown on visitors' pages, on invitations and in mails about the projects; nothing is shown without a name. */ brand?: { name?: string; /** the id of an uploaded picture */ logo?: string; /** a color `#rrggbb` that has a contrast of at least 4.5 with white */ color?: string; /** an e-mail address */ supportEmail?: string; senderName?: string; /** an e-mail address */ replyTo?: string } & { [name: string]: unknown }; /** 24 lower-case hexadecimal characters */ _id: string; /** 24 lower-case hexadecimal characters */ id: string; createdAt: string; createdBy: string; updatedAt: string; updatedBy: string; version: number; links: { [name: string]: string }; /** How the stored or the published document differs from what was sent, such as elements removed from HTML. */ warnings?: ({ path: string; message: string })[] } & { [name: string]: unknown };

export type OrganizationIn = unknown | unknown;

export type VaultVendor = { /** 24 lower-case hexadecimal characters */ projectId?: string; /** 24 lower-case hexadecimal characters */ organizationId?: string; /** a slug: letters, digits, dots, hyphens and underscores */ name?: string; title?: string; shortDescription?: string; longDescription?: string; domain?: string; /** an http or https address without a user name */ policyUrl?: string; type?: string; /** an http or https address, or an asset's id or name */ image?: string; /** Never asked, always on. */ required?: boolean; googleConsentMode?: (string)[] | { [name: string]: unknown }; /** Uses that an opt-out ends. Default: sale, sharing, advertising. */ uses?: ("sale" | "sharing" | "advertising" | "sensitive")[]; /** Addresses of the vendor's scripts, frames and images. */ hosts?: (string)[]; /** Cookies and keys that the vendor stores on the site's own pages. */ storage?: (StoredItem)[]; /** 24 lower-case hexadecimal characters */ _id: string; /** 24 lower-case hexadecimal characters */ id: string; createdAt: string; createdBy: string; updatedAt: string; updatedBy: string; version: number; links: { [name: string]: string }; /** How the stored or the published document differs from what was sent, such as elements removed from HTML. */ warnings?: ({ path: string; message: string })[] } & { [name: string]: unknown };

export type VaultVendorIn = { /** 24 lower-case hexadecimal characters */ projectId?: string; /** 24 lower-case hexadecimal characters */ organizationId?: string; /** a slug: letters, digits, dots, hyphens and underscores */ name: string; title?: string; shortDescription?: string; longDescription?: string; domain?: string; /** an http or https address without a user name */ policyUrl?: string; type?: string; /** an http or https address, or an asset's id or name */ image?: string; /** Never asked, always on. */ required?: boolean; googleConsentMode?: (string)[] | { [name: string]: unknown }; /** Uses that an opt-out ends. Default: sale, sharing, advertising. */ uses?: ("sale" | "sharing" | "advertising" | "sensitive")[]; /** Addresses of the vendor's scripts, frames and images. */ hosts?: (string)[]; /** Cookies and keys that the vendor stores on the site's own pages. */ storage?: (StoredItem)[] } & { [name: string]: unknown };

export type MediaItem = { /** 24 lower-case hexadecimal characters */ projectId?: string; /** 24 lower-case hexadecimal characters */ organizationId?: string; title?: string; /** an http or https address without a user name */ url?: string; /** 24 lower-case hexadecimal characters */ _id: string; /** 24 lower-case hexadecimal characters */ id: string; createdAt: string; createdBy: string; updatedAt: string; updatedBy: string; version: number; links: { [name: string]: string }; /** How the stored or the published document differs from what was sent, such as elements removed from HTML. */ warnings?: ({ path: string; message: string })[] } & { [name: string]: unknown };

export type MediaItemIn = { /** 24 lower-case hexadecimal characters */ projectId?: string; /** 24 lower-case hexadecimal characters */ organizationId?: string; title?: string; /** an http or https address without a user name */ url?: string } & { [name: string]: unknown };

export type DataProtectionOfficer = { /** 24 lower-case hexadecimal characters */ projectId?: string; /** In a template: the fields that its sites may change; the others are locked. Without it, fields that name a site's operator are open. */ openFields?: (string)[]; title?: string; fullname?: string; organization?: string; email?: string; address?: string; /** 24 lower-case hexadecimal characters */ _id: string; /** 24 lower-case hexadecimal characters */ id: string; createdAt: string; createdBy: string; updatedAt: string; updatedBy: string; version: number; links: { [name: string]: string }; /** How the stored or the published document differs from what was sent, such as elements removed from HTML. */ warnings?: ({ path: string; message: string })[] } & { [name: string]: unknown };

export type DataProtectionOfficerIn = { /** 24 lower-case hexadecimal characters */ projectId: string; /** In a template: the fields that its sites may change; the others are locked. Without it, fields that name a site's operator are open. */ openFields?: (string)[]; title?: string; fullname?: string; organization?: string; email?: string; address?: string } & { [name: string]: unknown };

export type GoogleProvider = { id: number; name: string; /** an http or https address without a user name */ policyUrl?: string } & { [name: string]: unknown };

export type TcfRestriction = { purpose: number; type: "not-allowed" | "require-consent" | "require-legitimate-interest"; /** Default: all vendors of the site to which it applies. */ vendors?: (number)[] } & { [name: string]: unknown };

export type TcfSetting = { /** 24 lower-case hexadecimal characters */ projectId?: string; /** In a template: the fields that its sites may change; the others are locked. Without it, fields that name a site's operator are open. */ openFields?: (string)[]; /** The CMP's id at IAB Europe; required to publish the layout iab. */ cmpId?: number; cmpVersion?: number; /** the country of the site's operator as two letters (ISO 3166-1 alpha-2) */ publisherCC?: string; /** Ids of the site's vendors in IAB's list. */ vendors?: (number)[]; /** Providers of Google's list of ad technology providers that are not in IAB's, for its Additional Consent. */ googleProviders?: (GoogleProvider)[]; /** The publisher's restrictions of purposes. Another legal basis applies only to vendors that declare the purpose as flexible. */ restrictions?: (TcfRestriction)[]; /** 24 lower-case hexadecimal characters */ _id: string; /** 24 lower-case hexadecimal characters */ id: string; createdAt: string; createdBy: string; updatedAt: string; updatedBy: string; version: number; links: { [name: string]: string }; /** How the stored or the published document differs from what was sent, such as elements removed from HTML. */ warnings?: ({ path: string; message: string })[] } & { [name: string]: unknown };

export type TcfSettingIn = { /** 24 lower-case hexadecimal characters */ projectId: string; /** In a template: the fields that its sites may change; the others are locked. Without it, fields that name a site's operator are open. */ openFields?: (string)[]; /** The CMP's id at IAB Europe; required to publish the layout iab. */ cmpId?: number; cmpVersion?: number; /** the country of the site's operator as two letters (ISO 3166-1 alpha-2) */ publisherCC?: string; /** Ids of the site's vendors in IAB's list. */ vendors?: (number)[]; /** Providers of Google's list of ad technology providers that are not in IAB's, for its Additional Consent. */ googleProviders?: (GoogleProvider)[]; /** The publisher's restrictions of purposes. Another legal basis applies only to vendors that declare the purpose as flexible. */ restrictions?: (TcfRestriction)[] } & { [name: string]: unknown };

export type ContractText = { /** 24 lower-case hexadecimal characters */ projectId?: string; /** In a template: the fields that its sites may change; the others are locked. Without it, fields that name a site's operator are open. */ openFields?: (string)[]; name?: string | null; config?: { [name: string]: unknown }; content?: string | { [name: string]: unknown } | (unknown)[]; /** 24 lower-case hexadecimal characters */ _id: string; /** 24 lower-case hexadecimal characters */ id: string; createdAt: string; createdBy: string; updatedAt: string; updatedBy: string; version: number; links: { [name: string]: string }; /** How the stored or the published document differs from what was sent, such as elements removed from HTML. */ warnings?: ({ path: string; message: string })[] } & { [name: string]: unknown };

export type ContractTextIn = { /** 24 lower-case hexadecimal characters */ projectId: string; /** In a template: the fields that its sites may change; the others are locked. Without it, fields that name a site's operator are open. */ openFields?: (string)[]; name?: string | null; config?: { [name: string]: unknown }; content?: string | { [name: string]: unknown } | (unknown)[] } & { [name: string]: unknown };

export type DomainOut = { /** a host name in lower case; other scripts in Punycode */ host: string; /** The beginning of links to visitors' and clients' pages. */ url: string; /** Whether it led to the service at the last check; only then, links have it. */ isFound: boolean; /** Why it did not, for a sentence with the host as its subject. */ fault: string | null; checkedAt: string; links: { self: string; organization: string } };

export type DomainIn = { /** a host name in lower case; other scripts in Punycode */ host: string };

export type ChallengeIn = { nonce: string };

export type ChallengeOut = { proof: string };

export type Overridden = { /** Number of errors. */ errors: number; rules: (string)[]; /** The owner's reason. */ reason?: string };

export type GivenApproval = { id: string; name: string; approvedAt: string; userId?: string; /** Given by this review link. */ linkId?: string };

export type PublicationApproval = { /** Number of approvals that the project required. */ required: number; /** SHA-256 of the approved draft. */ digest: string; approvals: (GivenApproval)[]; /** An owner published without approval, for this reason. */ bypassed?: string };

export type ConfigurationResult = { collection: "cookies" | "processings" | "contracts" | "contractsV2"; identifier: string; name: string; /** The version of the document in the vault. */ version: number };

export type Finding = { /** Stable name of the rule. */ rule: string; severity: "error" | "warning"; /** JSON pointer into the content that would be published. */ path: string; /** The problem. */ message: string; /** The law or guideline behind the rule. */ source: string; /** How to fix it. */ fix: string; /** The values in the message, in its order, for messages in other words or languages. */ about: (string)[] };

export type HeldBack = { collection: "cookies" | "processings" | "contracts" | "contractsV2"; identifier: string; name: string; /** The version of the document in the vault. */ version: number; /** The first finding, and the number of further ones. */ reason: string; /** The errors, at most 20; each path is a JSON pointer into the configuration. */ findings: (Finding)[] };

export type AskedAgain = { collection: string; identifier: string; /** The vendor; empty for the whole configuration. */ item: string; name: string; /** The additions to what was accepted. */ additions: ("new-purpose" | "new-recipient" | "more-data" | "longer-storage" | "fewer-safeguards" | "new-terms")[]; tokens: number };

export type AsksAgain = { /** Number of tokens that have accepted what is asked again, each counted once. */ tokens: number; /** The count stopped at its maximum; the true number may be higher. */ atLeast: boolean; /** Number of items that are asked again. */ count: number; /** The first 50. */ items: (AskedAgain)[] };

export type PublishStep = { name: "bundle" | "limits" | "organization" | "subscription" | "upload" | "invalidate"; status: "Pending" | "Active" | "Done" | "Error"; startedAt: string | null; endedAt: string | null; message: string | null };

export type PublishedFile = { url: string; /** Hash for Subresource Integrity (SHA-384). */ integrity: string; /** Before compression, in bytes. */ size: number };

export type PublishJob = { _id: string; id: string; projectId: string; environment: "production" | "staging"; /** The version that is published again. */ rollbackOf?: number; /** Scheduled start; the job is Pending until then. */ publishAt?: string; /** Errors of the publish check do not stop it. */ forced?: boolean; overridden?: Overridden; approval?: PublicationApproval; /** The job fails where a configuration would be held back. */ strict?: boolean; /** The parts of the project that were requested; without it, everything. */ services?: ("cookies" | "processings" | "contracts" | "contractsV2" | "tcf" | "dpo" | "project")[]; /** Ids of configurations. Empty counts as left out. */ cookies?: (string)[]; /** Ids of configurations. Empty counts as left out. */ processings?: (string)[]; /** Ids of configurations. Empty counts as left out. */ contracts?: (string)[]; /** Ids of configurations. Empty counts as left out. */ contractsV2?: (string)[]; /** The content is the same as the live version, which stays live. Files missing in storage are restored. */ sameVersion?: boolean; /** The requested configurations that this version changes, once the step `bundle` has ended. A rollback lists none. */ published?: (ConfigurationResult)[]; /** The requested configurations that are the same as in the live version. */ unchanged?: (ConfigurationResult)[]; /** The requested configurations with errors of the publish check. They stay at their live version, or unpublished. */ heldBack?: (HeldBack)[]; /** One for each configuration that is held back. */ warnings?: ({ path: string; message: string })[]; asksAgain?: AsksAgain; status: "Pending" | "Active" | "Done" | "Error"; step: "bundle" | "limits" | "organization" | "subscription" | "upload" | "invalidate"; steps: (PublishStep)[]; createdAt: string; startedAt?: string; endedAt?: string; /** Interval between polls, in ms. */ timeout: number; /** Why it failed, and what to do. */ message?: string; /** Address of the published file, once done. */ url?: string; /** SHA-256 of the content; the same as `hash` in the published file. */ hash?: string; /** Size of the published file before compression, in bytes. */ size?: number; version?: number; /** The published file, its copy under its hash, and the widget under its hash. */ files?: (PublishedFile)[]; links: { self: string; project: string; versions: string; check: string; changes: string; file?: string } };

export type Publication = { projectId: string; environment: "production" | "staging"; version: number; /** Whether visitors get this version now. */ live: boolean; /** SHA-256 of the file at `links.file`. */ hash: string; /** Size of the published file before compression, in bytes. */ size: number; publishedAt: string; publishedBy: string; jobId: string; overridden?: Overridden; approval?: PublicationApproval; asksAgain?: AsksAgain; links: { self: string; changes: string; file: string; job: string; project: string; rollback: string } };

export type PublishCheck = { projectId: string; checkedAt: string; /** Number of findings that break the law as it stands. */ errors: number; /** Number of findings that a person has to assess. */ warnings: number; /** Errors first; at most 500. */ findings: (Finding)[]; /** The configurations that a publication would hold back. */ heldBack: (HeldBack)[]; /** A publication of everything would fail: the project itself has errors, or all of its configurations. */ blocked: boolean; asksAgain: AsksAgain; links: { self: string; project: string; publish: string; changes: string } };

export type Preview = { projectId: string; /** Number of findings that break the law as it stands. */ errors: number; /** Number of findings that a person has to assess. */ warnings: number; /** Errors first; at most 500. */ findings: (Finding)[]; /** The content that would be published, as the widget reads it. */ content: { [name: string]: unknown }; asksAgain: AsksAgain; /** The drafts in their order, as they would be stored. */ documents: ({ body: { [name: string]: unknown } })[]; links: { self: string; project: string; check: string } };

export type ChangeValue = { type: "text" | "number" | "switch" | "color" | "list" | "position" | "step"; /** Short enough for a list. `on` or `off` for a `switch`; the removed or added entries for a `list`. */ text: string; /** The text in three parts: unchanged, changed, unchanged. */ parts?: (string)[]; /** Number of words of the text or entries of the list, if it is cut. */ count?: number };

export type Change = { class: "new-configuration" | "removed-configuration" | "new-vendor" | "removed-vendor" | "new-purpose" | "new-recipient" | "more-data" | "longer-storage" | "fewer-safeguards" | "new-terms" | "new-controller" | "wording" | "settings" | "design"; kind: "new" | "removed" | "moved" | "changed"; /** JSON pointer into the later version, or into the earlier version for a removal. */ path: string; message: string; /** The values in the message, in its order. */ about: (string)[]; /** The people it asks: `again` those who have accepted, `first` everybody for the first time, or nobody. */ asks: "again" | "first" | "nobody"; /** Without it, the change is the project's. */ configuration?: { collection: "cookies" | "processings" | "contracts" | "contractsV2"; identifier: string; name: string; language?: string }; item?: { type: "step" | "vendor" | "partner" | "processor" | "button" | "confirmation" | "entry"; /** A step's name, a vendor's slug, a partner's number in the vendor list. */ id?: string; /** Name on screens. */ name: string; /** For a vendor, its step. */ within?: string }; /** Path of the field, such as `colors.main`. */ field?: string; /** For a text that the widget brings by default: that default, in the banner's language. */ label?: string; before?: ChangeValue; after?: ChangeValue };

export type PublicationDiff = { projectId: string; environment: "production" | "staging"; /** The earlier version; null where nothing is live. */ from: number | null; /** The later version; null for what would be published. */ to: number | null; /** The classes of all changes, each once. */ classes: ("new-configuration" | "removed-configuration" | "new-vendor" | "removed-vendor" | "new-purpose" | "new-recipient" | "more-data" | "longer-storage" | "fewer-safeguards" | "new-terms" | "new-controller" | "wording" | "settings" | "design")[]; /** Number of all changes, including those that are not listed. */ count: number; /** Changes that ask for more first; at most 500. */ changes: (Change)[]; /** The changes as RFC 6902 operations; at most 500. */ operations: ({ op: string; path: string; value?: unknown })[]; /** There are more changes or more operations. */ truncated: boolean; asksAgain?: AsksAgain; links: { self: string; project: string; versions: string; publish: string } };

export type TcfVendor = { id: number; name: string; purposes: (number)[]; legIntPurposes: (number)[]; specialPurposes: (number)[]; features: (number)[]; specialFeatures: (number)[]; policyUrl?: string };

export type Author = { kind: "member" | "link"; /** The user's id, or the link's. */ id: string; /** As the person is called now, or called themselves; null for a deleted account. */ name: string | null };

export type Reply = { id: string; author: Author; text: string; createdAt: string; editedAt: string | null };

export type Thread = { id: string; author: Author; text: string; createdAt: string; editedAt: string | null; projectId: string; /** The place in the draft; null for the draft as a whole. */ about: { configurationId: string; /** JSON pointer (RFC 6901) into the configuration, such as `/steps/0/title`. */ pointer?: string; /** The text there now, so that the comment stays clear after edits. */ excerpt?: string } | null; resolvedAt: string | null; resolvedBy: string | null; /** Oldest first; at most 100. */ replies: (Reply)[] };

export type Comment = { id: string; author: Author; text: string; createdAt: string; editedAt: string | null; projectId: string; threadId: string; resolvedAt: string | null };

export type ReviewSettings = { /** Number of approvals that a publication to production requires. */ required: number; /** `owners`: only owners approve. `editors`: owners and editors. */ approvers: "owners" | "editors"; /** Whether approvals by review links count, if the link allows them. */ links: boolean };

export type Decision = { id: string; digest: string; decision: "approved" | "changes-requested"; author: Author; createdAt: string; withdrawnAt: string | null; /** Whether it is about the draft as it is now, and was not withdrawn. */ isCurrent: boolean; /** Whether it is an approval of the draft as it is now, by a person who may approve. It does not count if this person publishes. */ counts: boolean };

export type ReviewRequest = { id: string; digest: string; /** Whether the draft is still the same. */ isCurrent: boolean; by: Author; message: string | null; reviewers: (string)[]; createdAt: string };

export type Review = { projectId: string; /** SHA-256 of the draft as it is now. */ digest: string; settings: ReviewSettings; /** About the draft as it is now. */ decisions: (Decision)[]; /** The newest 20 that were withdrawn, or are about another draft. */ earlier: (Decision)[]; /** Number of approvals that are missing if the caller publishes. */ missing: number; /** Whether an approval by the caller counts. */ mayApprove: boolean; /** The newest request. */ request: ReviewRequest | null; openThreads: number; links: { self: string; decisions: string; comments: string; check: string; changes: string } };

export type ReviewLink = { id: string; projectId: string; recipient: string; mayComment: boolean; mayApprove: boolean; createdAt: string; createdBy: string; expiresAt: string; /** Last use; accurate to a minute. */ usedAt: string | null; revokedAt: string | null };

export type NewReviewLink = { id: string; projectId: string; recipient: string; mayComment: boolean; mayApprove: boolean; createdAt: string; createdBy: string; expiresAt: string; /** Last use; accurate to a minute. */ usedAt: string | null; revokedAt: string | null; /** Returned only once. */ url: string };

export type InheritedDocument = { id: string; resource: string; templateDocumentId: string; /** The site may change these. */ openFields: (string)[]; /** These have a value of the site's own. */ overrides: (string)[] };

export type Inheritance = { projectId: string; template: { id: string; title: string }; documents: (InheritedDocument)[]; links: { self: string } };

export type TemplateSite = { projectId: string; title: string | null; websiteURL: string | null; liveVersion: number | null; publishedAt: string | null; /** Whether the template has changed since the site was brought up to it. */ behind: boolean; /** Number of fields with a value of the site's own. */ overrides: number; lastStatus: "Pending" | "Publishing" | "Published" | "Unchanged" | "Failed" | "Skipped" | "Cancelled" | null; lastMessage: string | null; /** Whether you may publish the site. */ publishable: boolean; links: { project: string } };

export type TemplateSiteReport = { projectId: string; title: string; /** `blocked`: the publish check would stop it. `skipped`: you may not publish it. */ result: "changes" | "unchanged" | "blocked" | "skipped"; message: string | null; /** Documents that the template changes; at most 20. */ documents: ({ id: string; name: string; resource: string; change: "created" | "updated" | "removed" })[]; /** Number of fields with a value of the site's own. */ overrides: number; /** Fields whose own values end, since the template has locked them. */ dropped: (string)[]; /** Number of changes of the published file, the site's own drafts included. */ count: number; /** At most 20; those that ask for more come first. */ changes: ({ class: "new-configuration" | "removed-configuration" | "new-vendor" | "removed-vendor" | "new-purpose" | "new-recipient" | "more-data" | "longer-storage" | "fewer-safeguards" | "new-terms" | "new-controller" | "wording" | "settings" | "design"; message: string; asks: "again" | "first" | "nobody" })[]; /** The people whom the changes ask: again, for the first time, or nobody. */ asks: "again" | "first" | "nobody"; /** Number of tokens that have accepted what is asked again, up to 100,000. */ tokens: number; /** Configurations that would stay at their live version. */ heldBack: ({ name: string; reason: string })[] };

export type TemplatePublication = { id: string; templateId: string; /** `Cancelling`: the sites that are being published end. */ status: "Active" | "Cancelling" | "Done" | "Cancelled"; /** Number of sites. */ total: number; /** Number of sites that have ended. */ ended: number; /** Number of sites by status. */ counts: { Pending: number; Publishing: number; Published: number; Unchanged: number; Failed: number; Skipped: number; Cancelled: number }; createdAt: string; createdBy: string; endedAt: string | null; links: { self: string; sites: string; template: string } };

export type TemplatePublicationSite = { projectId: string; title: string | null; status: "Pending" | "Publishing" | "Published" | "Unchanged" | "Failed" | "Skipped" | "Cancelled"; message: string | null; jobId: string | null; endedAt: string | null; report: TemplateSiteReport | null };

export type Asset = { _id: string; id: string; originalName: string; uploadedAt: string; createdAt: string; /** Bytes of the stored file. */ size: number; /** Detected by content. */ detectedMimeType: string; /** The content type that the client sent. */ clientReportedMimeType: string; /** In its orientation; of one page. */ width?: number; /** In its orientation; of one page. */ height?: number; /** SHA-256 of the stored file, in hexadecimal. */ hash: string; /** The file itself; with parameters, a render of it. */ url: string; links: { self: string; metadata: string; /** Only for its owner. */ uses: string; assets: string }; /** Pages of an animation; 1 for a still picture. */ pages?: number; /** The placeholder colour while the picture loads, as `#rrggbb`. */ dominantColor?: string };

export type UploadedAsset = { _id: string; id: string; originalName: string; uploadedAt: string; createdAt: string; /** Bytes of the stored file. */ size: number; /** Detected by content. */ detectedMimeType: string; /** The content type that the client sent. */ clientReportedMimeType: string; /** In its orientation; of one page. */ width?: number; /** In its orientation; of one page. */ height?: number; /** SHA-256 of the stored file, in hexadecimal. */ hash: string; /** The file itself; with parameters, a render of it. */ url: string; links: { self: string; metadata: string; /** Only for its owner. */ uses: string; assets: string }; /** Pages of an animation; 1 for a still picture. */ pages?: number; /** The placeholder colour while the picture loads, as `#rrggbb`. */ dominantColor?: string; /** Content that was removed from an SVG. */ warnings?: ({ path: string; message: string })[] };

export type AssetMetadata = { _id: string; id: string; originalName: string; uploadedAt: string; createdAt: string; /** Bytes of the stored file. */ size: number; /** Detected by content. */ detectedMimeType: string; /** The content type that the client sent. */ clientReportedMimeType: string; /** In its orientation; of one page. */ width?: number; /** In its orientation; of one page. */ height?: number; /** SHA-256 of the stored file, in hexadecimal. */ hash: string; /** The file itself; with parameters, a render of it. */ url: string; links: { self: string; metadata: string; /** Only for its owner. */ uses: string; assets: string }; /** Pages of an animation; 1 for a still picture. */ pages?: number; /** The placeholder colour while the picture loads, as `#rrggbb`. */ dominantColor?: string };

export type AssetUse = { id: string; resource: string; /** The title of the document. */ label: string; projectId?: string; links: { document: string } };

export type Consent = { consentId: string; _id: string; projectId: string; collection: "cookies" | "processings" | "contracts"; identifier: string; token: string; accept: boolean; preferences: { /** The answer for each vendor, by its slug. */ vendors?: { [name: string]: boolean }; config?: { identifier?: string; name?: string; language?: string }; googleConsentMode?: { [name: string]: unknown }; tcString?: string; /** a string of Google's Additional Consent, such as 2~43.89~dv.70 */ addtlConsent?: string; /** IAB's GPP string, with its sections. */ gppString?: string; /** How the visitor was asked. */ model?: "opt-in" | "opt-out" | "notice" | "none"; /** the visitor's region, such as US-CA, by which the model was chosen; absent if unknown */ region?: string; /** Present if a page adopted the answer from another consent tool, whose record in the browser nobody can verify. Only for `cookies`; the assurance level is `imported`. */ imported?: { from: "axeptio" | "c15t" | "cookiebot" | "cookieconsent" | "didomi" | "klaro" | "onetrust" | "tarteaucitron" | "usercentrics"; answeredAt?: string } }; value: unknown; createdAt: string; /** The published version that was shown; null when the configuration was not live. */ version: number | null; /** How it came: from somebody who may bring in consents, with a display ticket, from any browser, or by an import: of a file, or of another consent tool's answer (`preferences.imported`). */ grade: "server" | "ticketed" | "browser" | "imported"; /** Signals of the browser; null if they were not recorded, as in imports. */ signals: { /** Whether the request carried `Sec-GPC: 1`. */ gpc: boolean; googleConsentMode: { [name: string]: unknown } | null; tcString: string | null } | null; /** The time of the display, as its ticket proves. */ displayedAt?: string; timestamp?: string; language?: string; url?: string; receipt: { links: { [name: string]: string } }; headers: { country?: string; userAgent: string }; /** The import that brought it, also in `links.import`; absent where it was collected. */ import?: string; /** Problems of a stored record: vendors that were not offered, a clock far off, an invalid ticket. */ warnings?: ({ path: string; message: string })[]; links: { [name: string]: string } };

export type Statistics = { projectId: string; from: string; /** Exclusive. */ to: string; by: "day" | "hour"; timeZone: string; group: "configuration" | "language" | "device" | "step" | "page" | "region" | "vendor" | null; /** Everything before this time is counted; null: nothing is counted yet. */ until: string | null; /** The start of each day or hour. */ starts: (string)[]; totals: { /** Displays of a banner or form. */ shown: number; /** Answers that accept everything. */ accepted: number; /** Answers that accept a part. */ partly: number; /** Answers that accept nothing. */ refused: number; /** Displays without an answer so far. */ ignored: number }; /** Answers without a counted display, which `shown` therefore does not include: sent by programs, or by pages and forms that requested no ticket. Always 0 when grouped by other dimensions than configuration and language. */ undisplayed: number; /** Largest first; without `group`, a single total. */ series: ({ /** A configuration's id, a language ('' if unknown), a device, a step's name ('' for consent forms), a page's path, a country (ISO 3166-1) or a vendor; null: the total, or all others together, such as pages and countries with fewer than five answers. */ key: string | null; /** The name of the configuration. */ name: string | null; totals: { /** Displays of a banner or form. */ shown: number; /** Answers that accept everything. */ accepted: number; /** Answers that accept a part. */ partly: number; /** Answers that accept nothing. */ refused: number; /** Displays without an answer so far. */ ignored: number }; /** Answers without a counted display, which `shown` therefore does not include: sent by programs, or by pages and forms that requested no ticket. Always 0 when grouped by other dimensions than configuration and language. */ undisplayed: number; /** One number for each of `starts`, like the following ones. */ shown: (number)[]; /** See `totals`. */ accepted: (number)[]; /** See `totals`. */ partly: (number)[]; /** See `totals`. */ refused: (number)[]; /** See `totals`. */ ignored: (number)[] })[]; links: { [name: string]: string } };

export type PublicationStatistics = { projectId: string; version: number; publishedAt: string; before: { from: string; /** Exclusive. */ to: string; totals: { /** Displays of a banner or form. */ shown: number; /** Answers that accept everything. */ accepted: number; /** Answers that accept a part. */ partly: number; /** Answers that accept nothing. */ refused: number; /** Displays without an answer so far. */ ignored: number }; /** Answers without a counted display, which `shown` therefore does not include: sent by programs, or by pages and forms that requested no ticket. Always 0 when grouped by other dimensions than configuration and language. */ undisplayed: number }; after: { from: string; /** Exclusive. */ to: string; totals: { /** Displays of a banner or form. */ shown: number; /** Answers that accept everything. */ accepted: number; /** Answers that accept a part. */ partly: number; /** Answers that accept nothing. */ refused: number; /** Displays without an answer so far. */ ignored: number }; /** Answers without a counted display, which `shown` therefore does not include: sent by programs, or by pages and forms that requested no ticket. Always 0 when grouped by other dimensions than configuration and language. */ undisplayed: number }; /** Answers that accept everything, of all answers; null without answers. */ accepting: { /** The share after minus that before, from -1 to 1. */ difference: number; /** 95 % confidence interval of the difference (Wald). */ interval: { from: number; to: number }; /** Two-sided p-value of the two-proportion z-test with pooled variance. */ p: number; /** Whether both windows have at least ten cases with the outcome and ten without; otherwise interval and p-value are meaningless. */ isEnough: boolean } | null; /** Displays that were answered, of all displays; null without displays. */ answering: { /** The share after minus that before, from -1 to 1. */ difference: number; /** 95 % confidence interval of the difference (Wald). */ interval: { from: number; to: number }; /** Two-sided p-value of the two-proportion z-test with pooled variance. */ p: number; /** Whether both windows have at least ten cases with the outcome and ten without; otherwise interval and p-value are meaningless. */ isEnough: boolean } | null; links: { [name: string]: string } };

export type SitesStatistics = { from: string; /** Exclusive. */ to: string; /** Whether there are more sites; the 200 oldest are compared. */ isPartial: boolean; /** Most answers first. */ sites: ({ projectId: string; title: string; totals: { /** Displays of a banner or form. */ shown: number; /** Answers that accept everything. */ accepted: number; /** Answers that accept a part. */ partly: number; /** Answers that accept nothing. */ refused: number; /** Displays without an answer so far. */ ignored: number }; /** Answers without a counted display, which `shown` therefore does not include: sent by programs, or by pages and forms that requested no ticket. Always 0 when grouped by other dimensions than configuration and language. */ undisplayed: number; /** The counts of the equally long period before. */ before: { totals: { /** Displays of a banner or form. */ shown: number; /** Answers that accept everything. */ accepted: number; /** Answers that accept a part. */ partly: number; /** Answers that accept nothing. */ refused: number; /** Displays without an answer so far. */ ignored: number }; /** Answers without a counted display, which `shown` therefore does not include: sent by programs, or by pages and forms that requested no ticket. Always 0 when grouped by other dimensions than configuration and language. */ undisplayed: number } })[]; links: { [name: string]: string } };

export type Problem = { type: string; title: string; status: number; detail: string; message: string; instance: string; errors?: ({ path: string; message: string })[]; /** With 409 of the deletion of a project: its published files by environment, and consents on record. */ losses?: ("production" | "staging" | "consents")[]; /** With 409 `approval-needed`. */ missingApprovals?: number; /** With 409 of the deletion of an organization: its projects, the first 20. */ projects?: ({ id: string; title: string })[] };

export type Import = { _id: string; id: string; projectId: string; status: "Pending" | "Active" | "Done" | "Error"; /** Whether the file is only read and checked. */ dryRun: boolean; format: string; /** Size of the decompressed file in bytes. */ size: number; /** SHA-256 of the decompressed file. */ sha256: string; /** Entries read so far: those imported, known and rejected. */ read: number; /** New records; with `dryRun`, those that would be. */ imported: number; /** Entries that the project has already. */ known: number; /** Lines that could not be imported. */ refused: number; progress: number; /** Why it failed, and what to do. */ message?: string; createdAt: string; startedAt?: string; endedAt?: string; links: { self: string; project: string; imports: string; /** The rejected lines, with reasons. */ refused?: string } };

export type ExportManifest = { id: string; projectId: string; /** The file format. */ format: "csv" | "ndjson" | "parquet"; state: "running" | "done" | "cut"; /** Whether the file was written completely. */ complete: boolean; filters: { [name: string]: unknown }; /** How CSV is written; other formats ignore it. `rfc4180` (the default): lines end with CR LF, and cells are quoted where necessary. `plain`, for readers that split by hand: lines end with LF, no cell is quoted, a `;` in a value becomes `,`, and a line end in a value a space. */ dialect?: "rfc4180" | "plain"; /** Records since this time; null: all. */ from: string | null; /** Records before this time: `end`, or a millisecond after the request. */ to: string; /** The export ends earlier than requested, because collecting a consent took more than ten seconds. Request the rest later, with `after` set to the last record. */ heldBack?: boolean; after?: string; first: string | null; last: string | null; /** Number of records. */ count: number; /** Size of the file; for NDJSON, without its last line. */ bytes: number; /** Digest of these bytes, in hexadecimal; null until the export is complete. */ sha256: string | null; /** The transparency log at the start of the export. Every matching consent whose proof has an index below `size` must be in the file; otherwise the file is incomplete. Null before the log's first tree. */ log: { /** The origin line of the log. */ origin: string; /** Number of entries. */ size: number; /** The signed checkpoint (C2SP tlog-checkpoint). */ checkpoint: string } | null; /** Positions at which a truncated file can be resumed: the length of the file, the number of records, the last record, and the SHA-256 of these bytes. The last 256 positions. */ stretches: ({ bytes: number; count: number; last: string; sha256: string })[]; createdAt: string; endedAt?: string; links: { [name: string]: string } };

export type Document = { identifier: string; name?: unknown; language?: unknown; /** `originalName`, `url`, `uploadedAt`, and `size` in bytes if known. */ file?: unknown } & { [name: string]: unknown };

export type ProcessingActivity = { identifier: string } & { [name: string]: unknown };

export type ClientProject = { _id: string; id: string; /** Whether it is live, without a demo banner. */ active: boolean; /** The project as the vault returns it. */ configuration: { [name: string]: unknown }; name: string; website: string; dataProcessor: unknown; documents: (Document)[]; processingActivities: (ProcessingActivity)[]; /** How the stored or the published document differs from what was sent, such as elements removed from HTML. */ warnings?: ({ path: string; message: string })[]; links: { [name: string]: string } };

export type Token = { token: string; firstSeenAt: string; lastSeenAt: string; /** Number of consent records. */ consents: number; links: { [name: string]: string } };

export type ConsentState = { collection: string; /** A configuration's id, or `{configurationId}/{vendor}`. */ identifier: string; name: string; status: "accepted" | "refused" | "withdrawn" | "expired" | "superseded" | "never-asked"; /** Whether consent is valid now; true only for `accepted`. */ accept: boolean; /** Time since which this answer has been given without interruption; null when never asked. */ since: string | null; expiresAt?: string; consentId?: string; version?: number; links: { [name: string]: string } };

export type TokenConsents = { token: string; state: (ConsentState)[]; history: (Consent)[]; links: { self: string; /** The next page of the history. */ next?: string; /** The next page of the state. */ nextState?: string; project: string; proofs: string } };

export type Askable = { identifier: string; name: string; collection: string; links: { [name: string]: string } };

export type AcceptedToken = { token: string; /** With `?since=`: whether the token was added to the accepted list or removed from it. */ change?: "added" | "removed"; /** Time since which the current answer has been given without interruption. */ since: string; /** The latest record of this answer. */ consentId: string; links: { [name: string]: string } };

export type AcceptedTokens = { items: (AcceptedToken)[]; /** Address of later changes. Request it at any time after the last page. It is not among the links, because a client that follows all links would never finish. */ changes: string; links: { self: string; next?: string; /** Changes since this response. Missing in responses to `since`. */ changes?: string; project: string } };

export type TokenByStatus = { token: string; /** Time of the answer that led to this state; for `expired`, the expiry. */ since: string; /** The latest record of this answer. */ consentId: string; links: { [name: string]: string } };

export type Pending = { status: "pending"; detail: string; links: { /** The same request. */ self: string } };

export type PersonAnswers = { /** Ordered by identifier and item; at most 5,000. */ answers: ({ collection: string; /** Identifier of the configuration. */ identifier: string; /** A vendor's name; '' for a configuration as a whole. */ item: string; /** `accepted`, `refused`, `withdrawn` or `expired`. */ status: string; since: string })[]; /** By the service's clock. */ readAt: string; links: { [name: string]: string } };

export type NewPersonLink = { id: string; projectId: string; /** printable characters that identify the visitor, not . or .. alone */ token: string; createdAt: string; /** A user's id, or `visitor`. */ createdBy: string; expiresAt: string; links: { [name: string]: string }; /** The page's address. It is returned only once. */ url: string };

export type PersonLink = { id: string; projectId: string; /** printable characters that identify the visitor, not . or .. alone */ token: string; createdAt: string; /** A user's id, or `visitor`. */ createdBy: string; expiresAt: string; links: { [name: string]: string } };

export type ErasureRequest = { id: string; projectId: string; /** printable characters that identify the visitor, not . or .. alone */ token: string; requestedAt: string; /** A month after the request (GDPR, article 12(3)). */ dueAt: string; links: { [name: string]: string } };

export type Erasure = { id: string; projectId: string; erasedAt: string; /** `retention`: the retention period ended. */ reason: "request" | "retention"; /** The user who requested it; null for the retention schedule. */ orderedBy: string | null; /** Number of erased records. */ count: number; links: { /** The receipt. */ self: string; project: string; erasures: string } };

export type ErasureProposal = { id: string; projectId: string; /** printable characters that identify the visitor, not . or .. alone */ token: string; /** The user who proposed it, or whose API key did. Another owner decides. */ proposedBy: string; proposedAt: string; /** 14 days after the proposal. Nothing is erased then. */ expiresAt: string; /** A month after the person's own request (GDPR, article 12(3)). Absent without an open request. */ dueAt?: string; links: { [name: string]: string } };

export type ErasureRule = { /** Whether an erasure waits until a second owner confirms it. */ needsSecondPerson: boolean };

export type Scan = { id: string; projectId: string; status: "Pending" | "Active" | "Done" | "Error" | "Cancelled"; /** Why the scan was started. */ cause: "request" | "schedule" | "publication"; url: string; pagesMax: number; /** The version that was live when the scan started; null before, and without one. */ version: number | null; /** SHA-256 of that version's content. */ hash: string | null; /** SHA-256 of the result as canonical JSON (RFC 8785). */ resultHash: string | null; progress: { phase: "unanswered" | "refused" | "accepted"; pages: number; pagesMax: number } | null; /** Why the scan failed. */ message: string | null; createdAt: string; createdBy: string; startedAt: string | null; endedAt: string | null; links: { self: string; project: string } };

export type ScanResult = { url: string; startedAt: string; endedAt: string; browser: string; /** Limits that cut the scan short; its result is then incomplete. */ limits: ("time" | "bytes" | "memory" | "requests" | "pages")[]; bytes: number; /** Hosts that were not contacted because their address is private. */ blockedHosts: (string)[]; phases: ({ name: "unanswered" | "refused" | "accepted"; /** The consent tool that took the answer; null if none did. */ answeredBy: string | null; pages: ({ /** Without its query. */ url: string; /** The HTTP status; null if the page did not load. */ status: number | null; error?: string })[]; requests: ({ host: string; /** The first two segments of the path; never a query. */ path: string; /** The type, such as script, image or fetch. */ type: string; count: number; isThirdParty: boolean })[]; cookies: ({ name: string; domain: string; path: string; /** null for a cookie of the session. */ lifetimeSeconds: number | null; isSecure: boolean; isHttpOnly: boolean; sameSite: "Strict" | "Lax" | "None"; isThirdParty: boolean })[]; storage: ({ origin: string; kind: "localStorage" | "sessionStorage" | "indexedDB"; name: string; isThirdParty: boolean })[]; fingerprinting: ({ call: "canvas" | "webgl" | "audio" | "fonts" | "plugins" | "hardware" | "webrtc"; /** The host of the script. */ host: string; count: number })[] })[]; services: ({ id: string; title: string; provider: string; category: "necessary" | "functional" | "analytics" | "advertising" | "social" | "media"; phases: ("unanswered" | "refused" | "accepted")[]; hosts: (string)[]; cookies: (string)[]; storage: (string)[]; /** The name of the vendor that declares it. */ declaredBy: string | null; /** The vendor's documentation; null where only the cookie database knows it. */ source: string | null })[]; findings: ({ kind: "before-consent" | "after-refusal" | "undeclared" | "unseen" | "not-answered"; subject: "service" | "host" | "cookie" | "fingerprinting" | "vendor" | "site"; /** The service's id, the host, the cookie, or the vendor's name. */ name: string; title: string; evidence: (string)[] })[]; /** Vendors to declare, with English and French texts. */ vendors: ({ en: Vendor; fr: Vendor })[]; appearance?: { /** The language of the start page, else of its `x-default` alternate. */ language: string | null; /** Language tags of the page and its `hreflang` alternates, in lower case. */ languages: (string)[]; /** From computed styles. `text` and `accent` are null without enough contrast to the background (WCAG 2.2). */ colors: { background: string | null; text: string | null; accent: string | null }; /** The first screen, 1280 × 800 and 390 × 700 pixels. */ screenshots: { desktop: string | null; phone: string | null } } };

export type ScanWithResult = { id: string; projectId: string; status: "Pending" | "Active" | "Done" | "Error" | "Cancelled"; /** Why the scan was started. */ cause: "request" | "schedule" | "publication"; url: string; pagesMax: number; /** The version that was live when the scan started; null before, and without one. */ version: number | null; /** SHA-256 of that version's content. */ hash: string | null; /** SHA-256 of the result as canonical JSON (RFC 8785). */ resultHash: string | null; progress: { phase: "unanswered" | "refused" | "accepted"; pages: number; pagesMax: number } | null; /** Why the scan failed. */ message: string | null; createdAt: string; createdBy: string; startedAt: string | null; endedAt: string | null; links: { self: string; project: string }; result: ScanResult | null };

export type MoveInFiles = { files: ({ /** The address that was read. */ name: string; /** The file. A page is reduced to its language and the scripts that contain a configuration. */ text: string; /** The encoding that was assumed, because the file is not valid UTF-8. */ encoding?: "windows-1252" })[]; /** Files that the page or another file names and that could not be read. */ failed: ({ name: string; reason: string })[] };

export type Webhook = { _id: string; id: string; url: string; uri: string; events: (string)[]; /** The first of `events`. */ event: string; /** Null: every project whose events the creator may receive. */ projectId: string | null; collection: string | null; identifier: string | null; headers: { [name: string]: string }; enabled: boolean; /** `owner`; `gone`: it returned 410; `failing`: it failed for five days. Null while enabled. */ disabledBecause: string | null; failingSince: string | null; /** Verifies Ed25519 signatures (v1a). */ publicKey: string; /** Earlier keys, which sign too until they end; the newest first. */ earlierPublicKeys: ({ publicKey: string; endsAt: string })[]; createdAt: string; createdBy: string; updatedAt: string; version: number; links: { [name: string]: string } };

export type WebhookWithSecret = { _id: string; id: string; url: string; uri: string; events: (string)[]; /** The first of `events`. */ event: string; /** Null: every project whose events the creator may receive. */ projectId: string | null; collection: string | null; identifier: string | null; headers: { [name: string]: string }; enabled: boolean; /** `owner`; `gone`: it returned 410; `failing`: it failed for five days. Null while enabled. */ disabledBecause: string | null; failingSince: string | null; /** Verifies Ed25519 signatures (v1a). */ publicKey: string; /** Earlier keys, which sign too until they end; the newest first. */ earlierPublicKeys: ({ publicKey: string; endsAt: string })[]; createdAt: string; createdBy: string; updatedAt: string; version: number; links: { [name: string]: string }; /** Returned only once. */ secret: string };

export type WebhookDelivery = { _id: string; id: string; webhookId: string; event: string; projectId: string | null; collection: string | null; identifier: string | null; /** `parked`: ten attempts failed, and there are no more; `cancelled`: its record was erased, or the webhook's creator may no longer receive it. */ status: "pending" | "delivered" | "parked" | "cancelled"; /** Since it was created or retried; without those whose response was 429 or 503 with `Retry-After`. */ attempts: number; /** The last twenty attempts, oldest first. */ tried: ({ at: string; durationMs: number; /** Sent as `X-Request-Id`. */ requestId: string; /** Null without a response. */ status: number | null; error: string | null; /** The beginning of the response. */ answer: string; /** Bytes of the response that were read, 65536 at most. */ answerBytes?: number; /** The response was longer, and its connection was closed. */ isCut?: boolean })[]; nextAt: string | null; createdAt: string; endedAt: string | null; links: { [name: string]: string } };

export type Event = { /** The `webhook-id` of its delivery. */ id: string; type: string; timestamp: string; data: { [name: string]: unknown } };

export type Notification = { id: string; kind: "publication-done" | "publication-failed" | "scan-news" | "erasure-proposed" | "erasure-requested" | "erasure-due" | "erasure-rule-changed" | "plan-limit-near" | "member-changed" | "webhook-disabled" | "comment-created" | "comment-resolved" | "review-requested" | "approval-given" | "changes-requested" | "approval-withdrawn"; /** A sentence in the language of the request. */ text: string; at: string; readAt?: string; project?: { id: string; title: string }; organization?: { id: string; title: string }; links: { /** Its screen in the admin app. */ screen: string } };

export type NotificationSettings = { language: "en" | "fr"; /** IANA, such as Europe/Paris. */ timeZone: string; /** Projects and organizations of which nothing is notified. */ muted: (string)[]; /** Projects of the weekly mail, and organizations with all their projects. */ weekly: (string)[]; kinds: ({ kind: "publication-done" | "publication-failed" | "scan-news" | "erasure-proposed" | "erasure-requested" | "erasure-due" | "erasure-rule-changed" | "plan-limit-near" | "member-changed" | "webhook-disabled" | "comment-created" | "comment-resolved" | "review-requested" | "approval-given" | "changes-requested" | "approval-withdrawn"; /** In the language of the request. */ label: string; /** `now`: a mail for each; `daily`: one mail a day; `off`: no mail. */ mail: "now" | "daily" | "off" })[] };

export type NotificationChoices = { language: "en" | "fr"; /** IANA, such as Europe/Paris. */ timeZone: string; /** Projects and organizations of which nothing is notified. */ muted: (string)[]; /** Projects of the weekly mail, and organizations with all their projects. */ weekly: (string)[]; mails: { /** `now`: a mail for each; `daily`: one mail a day; `off`: no mail. */ "publication-done"?: "now" | "daily" | "off"; /** `now`: a mail for each; `daily`: one mail a day; `off`: no mail. */ "publication-failed"?: "now" | "daily" | "off"; /** `now`: a mail for each; `daily`: one mail a day; `off`: no mail. */ "scan-news"?: "now" | "daily" | "off"; /** `now`: a mail for each; `daily`: one mail a day; `off`: no mail. */ "erasure-proposed"?: "now" | "daily" | "off"; /** `now`: a mail for each; `daily`: one mail a day; `off`: no mail. */ "erasure-requested"?: "now" | "daily" | "off"; /** `now`: a mail for each; `daily`: one mail a day; `off`: no mail. */ "erasure-due"?: "now" | "daily" | "off"; /** `now`: a mail for each; `daily`: one mail a day; `off`: no mail. */ "erasure-rule-changed"?: "now" | "daily" | "off"; /** `now`: a mail for each; `daily`: one mail a day; `off`: no mail. */ "plan-limit-near"?: "now" | "daily" | "off"; /** `now`: a mail for each; `daily`: one mail a day; `off`: no mail. */ "member-changed"?: "now" | "daily" | "off"; /** `now`: a mail for each; `daily`: one mail a day; `off`: no mail. */ "webhook-disabled"?: "now" | "daily" | "off"; /** `now`: a mail for each; `daily`: one mail a day; `off`: no mail. */ "comment-created"?: "now" | "daily" | "off"; /** `now`: a mail for each; `daily`: one mail a day; `off`: no mail. */ "comment-resolved"?: "now" | "daily" | "off"; /** `now`: a mail for each; `daily`: one mail a day; `off`: no mail. */ "review-requested"?: "now" | "daily" | "off"; /** `now`: a mail for each; `daily`: one mail a day; `off`: no mail. */ "approval-given"?: "now" | "daily" | "off"; /** `now`: a mail for each; `daily`: one mail a day; `off`: no mail. */ "changes-requested"?: "now" | "daily" | "off"; /** `now`: a mail for each; `daily`: one mail a day; `off`: no mail. */ "approval-withdrawn"?: "now" | "daily" | "off" } };

export type CookieSession = { expiresAt: string; links: { self: string; logout: string; tokens: string; projects: string; vault: string } };

/** Accept an invitation as the signed-in user. */
export const acceptInvitation: Operation<{ path: { token: string }; body?: object }, Accepted> = ["POST", "/v1/auth/invitations/{token}"];

/** Accept an offered project into an organization that you own. */
export const acceptOfferedProject: Operation<{ path: { token: string }; body: TransferAcceptIn }, AcceptedTransfer> = ["POST", "/v1/vault/transfers/{token}"];

/** Add an operator of the installation. */
export const addOperator: Operation<{ body: unknown | unknown }, Operator> = ["POST", "/v1/auth/operators"];

/** Approve a draft, or request changes. */
export const decideOnDraft: Operation<{ path: { projectId: string }; body: { /** the SHA-256 of a draft, as the review returns it */ digest: string; decision: "approved" | "changes-requested"; /** A comment on the draft as a whole; required to request changes. */ text?: string } }, Decision> = ["POST", "/v1/reviews/{projectId}/decisions"];

/** Ask members for a review of the draft. */
export const requestReview: Operation<{ path: { projectId: string }; body?: { message?: string; /** Ids of members. Default: everybody who may approve. */ reviewers?: (string)[] } }, ReviewRequest> = ["POST", "/v1/reviews/{projectId}/requests"];

/** Become an operator with the one-time link of the start. */
export const claimInstance: Operation<{ body: { /** The token of the link, after the `#`. It works once, within a day. */ token: string } }, Success> = ["POST", "/v1/auth/claim"];

/** Cancel a publication of a template's sites. */
export const cancelTemplatePublication: Operation<{ path: { templateId: string; publicationId: string } }, null> = ["DELETE", "/v1/publish/templates/{templateId}/publications/{publicationId}"];

/** Cancel a scan that waits or runs. */
export const cancelScan: Operation<{ path: { projectId: string; scanId: string } }, null> = ["DELETE", "/v1/publish/projects/{projectId}/scans/{scanId}"];

/** Cancel a scheduled publication, by its id or its project's. */
export const cancelPublishJob: Operation<{ path: { id: string }; query?: { environment?: "production" | "staging" } }, null> = ["DELETE", "/v1/publish/jobs/{id}"];

/** Cancel an import, or remove the files of one that has ended. */
export const cancelImport: Operation<{ path: { projectId: string; id: string } }, null> = ["DELETE", "/v1/app/imports/{projectId}/{id}"];

/** Change a project. */
export const patchClientProject: Operation<{ path: { id: string }; body: { name?: string; /** an http or https address */ website?: string; /** Further fields of the project in the vault. */ configuration?: { [name: string]: unknown }; /** The processor of the data; null for none. */ dataProcessor?: { [name: string]: unknown } | string | null; documents?: ({ identifier?: string } & { [name: string]: unknown })[]; processingActivities?: ({ identifier?: string } & { [name: string]: unknown })[] } }, ClientProject> = ["PATCH", "/v1/client/{id}"];

/** Change a webhook, disable or enable it. */
export const patchWebhook: Operation<{ path: { id: string }; body: { /** The URL to post events to: https, on the public internet. */ url?: string; /** The URL to post events to: https, on the public internet. */ uri?: string; events?: (string)[]; /** an event such as consent.created, or the older consent/{projectId} */ event?: string; /** Sent with each delivery. Stored encrypted, and returned without values. */ headers?: { [name: string]: string }; enabled?: boolean; /** Must be unchanged: the project of a webhook cannot be changed. */ projectId?: string | null; collection?: "cookies" | "processings" | "contracts" | null; identifier?: string | null } }, Webhook> = ["PATCH", "/v1/webhooks/{id}"];

/** Change fields of a TCF setting (RFC 7396 merge patch). */
export const patchTcfSetting: Operation<{ path: { documentId: string }; body: { [name: string]: unknown } }, TcfSetting> = ["PATCH", "/v1/vault/tcf/{documentId}"];

/** Change fields of a contract (RFC 7396 merge patch). */
export const patchContract: Operation<{ path: { documentId: string }; body: { [name: string]: unknown } }, Contract> = ["PATCH", "/v1/vault/contracts/{documentId}"];

/** Change fields of a contract text (RFC 7396 merge patch). */
export const patchContractText: Operation<{ path: { documentId: string }; body: { [name: string]: unknown } }, ContractText> = ["PATCH", "/v1/content/contracts/{documentId}"];

/** Change fields of a cookie configuration (RFC 7396 merge patch). */
export const patchCookieConfiguration: Operation<{ path: { documentId: string }; body: { [name: string]: unknown } }, CookieConfiguration> = ["PATCH", "/v1/vault/cookies/{documentId}"];

/** Change fields of a data protection officer (RFC 7396 merge patch). */
export const patchDataProtectionOfficer: Operation<{ path: { documentId: string }; body: { [name: string]: unknown } }, DataProtectionOfficer> = ["PATCH", "/v1/vault/dpo/{documentId}"];

/** Change fields of a media item (RFC 7396 merge patch). */
export const patchMediaItem: Operation<{ path: { documentId: string }; body: { [name: string]: unknown } }, MediaItem> = ["PATCH", "/v1/vault/media/{documentId}"];

/** Change fields of a processing (RFC 7396 merge patch). */
export const patchProcessing: Operation<{ path: { documentId: string }; body: { [name: string]: unknown } }, Processing> = ["PATCH", "/v1/vault/processings/{documentId}"];

/** Change fields of a project (RFC 7396 merge patch). */
export const patchProject: Operation<{ path: { documentId: string }; body: { [name: string]: unknown } }, Project> = ["PATCH", "/v1/vault/projects/{documentId}"];

/** Change fields of a vendor (RFC 7396 merge patch). */
export const patchVaultVendor: Operation<{ path: { documentId: string }; body: { [name: string]: unknown } }, VaultVendor> = ["PATCH", "/v1/vault/vendors/{documentId}"];

/** Change fields of an organization (RFC 7396 merge patch). */
export const patchOrganization: Operation<{ path: { documentId: string }; body: { [name: string]: unknown } }, Organization> = ["PATCH", "/v1/vault/organizations/{documentId}"];

/** Change the names of the signed-in user. */
export const updateMe: Operation<{ body: { displayName?: string; firstName?: string | null; lastName?: string | null } }, User> = ["PATCH", "/v1/auth/me"];

/** Change the password; every other token of the user is revoked. */
export const updatePassword: Operation<{ body: { /** Any characters, without a complexity rule; used exactly as sent. */ current: string; /** Any characters, without a complexity rule; used exactly as sent. */ new: string; /** The new password again. */ confirm: string; /** Required with a second factor: a code of the authenticator app, or a recovery code. Optional in a session that has proved the factor within 15 minutes. */ code?: string } }, PasswordChanged> = ["PUT", "/v1/auth/local/update-password"];

/** Change the project's rule for erasures. */
export const setErasureRule: Operation<{ path: { id: string }; body: ErasureRule }, ErasureRule> = ["PUT", "/v1/client/{id}/erasure-rule"];

/** Check what would be published. */
export const checkProject: Operation<{ path: { projectId: string } }, PublishCheck> = ["GET", "/v1/publish/projects/{projectId}/check"];

/** Check whether the process answers. */
export const getLiveness: Operation<undefined, { status: string }> = ["GET", "/health/live"];

/** Check whether the service can do its work. */
export const getReadiness: Operation<undefined, { status: string }> = ["GET", "/health/ready"];

/** Collect a consent. */
export const collectConsent: Operation<{ path: { projectId: string; collection: string; identifier: string }; body: { accept: boolean; /** printable characters that identify the visitor, not . or .. alone */ token?: string; preferences?: { /** The answer for each vendor, by its slug. */ vendors?: { [name: string]: boolean }; config?: { identifier?: string; name?: string; language?: string }; googleConsentMode?: { [name: string]: unknown }; tcString?: string; /** a string of Google's Additional Consent, such as 2~43.89~dv.70 */ addtlConsent?: string; /** IAB's GPP string, with its sections. */ gppString?: string; /** How the visitor was asked. */ model?: "opt-in" | "opt-out" | "notice" | "none"; /** the visitor's region, such as US-CA, by which the model was chosen; absent if unknown */ region?: string; /** Present if a page adopted the answer from another consent tool, whose record in the browser nobody can verify. Only for `cookies`; the assurance level is `imported`. */ imported?: { from: "axeptio" | "c15t" | "cookiebot" | "cookieconsent" | "didomi" | "klaro" | "onetrust" | "tarteaucitron" | "usercentrics"; /** The time of the answer, by the other tool. */ answeredAt?: Instant } }; /** Any data of the form. */ value?: unknown; /** The ticket of the display that the answer belongs to, for the grade `ticketed`. An invalid ticket is reported in `warnings`. */ ticket?: string; /** The published version that was displayed, from the published file. It may be earlier than the live version; the answer then applies to the offer of that version. */ version?: unknown; /** The client's clock: an instant, or ms since 1970. Kept beside `createdAt`. */ timestamp?: Instant | number; /** a language tag such as en or pt-BR */ language?: string; /** the page's http or https address, which is kept without query and fragment */ url?: string } }, Consent> = ["POST", "/v1/app/consents/{projectId}/{collection}/{identifier}"];

/** Collect up to 500 consents. */
export const collectConsents: Operation<{ path: { projectId: string }; body: (unknown)[] }, (Consent | Problem)[]> = ["POST", "/v1/app/consents/{projectId}"];

/** Comment on a draft. */
export const createComment: Operation<{ path: { projectId: string }; body: { /** Plain text; line breaks are kept. */ text: string; about?: { configurationId: string; /** JSON pointer (RFC 6901) into the configuration, such as `/steps/0/title`. */ pointer?: string; /** The text there now, so that the comment stays clear after edits. */ excerpt?: string } } }, Thread> = ["POST", "/v1/reviews/{projectId}/comments"];

/** Compare the statistics before and after a publication. */
export const getPublicationStatistics: Operation<{ path: { projectId: string; version: number }; query?: { days?: number; format?: "json" | "csv" } }, PublicationStatistics> = ["GET", "/v1/app/stats/{projectId}/versions/{version}"];

/** Compare the statistics of sites. */
export const compareSites: Operation<{ query?: { organization?: string; group?: string; days?: number; format?: "json" | "csv" } }, SitesStatistics> = ["GET", "/v1/app/stats"];

/** Compare two versions of a TCF setting (RFC 6902). */
export const diffTcfSettingVersions: Operation<{ path: { documentId: string; from: number; to: number } }, ({ op: string; path: string } & { [name: string]: unknown })[]> = ["GET", "/v1/vault/tcf/{documentId}/versions/{from}/diff/{to}"];

/** Compare two versions of a contract (RFC 6902). */
export const diffContractVersions: Operation<{ path: { documentId: string; from: number; to: number } }, ({ op: string; path: string } & { [name: string]: unknown })[]> = ["GET", "/v1/vault/contracts/{documentId}/versions/{from}/diff/{to}"];

/** Compare two versions of a contract text (RFC 6902). */
export const diffContractTextVersions: Operation<{ path: { documentId: string; from: number; to: number } }, ({ op: string; path: string } & { [name: string]: unknown })[]> = ["GET", "/v1/content/contracts/{documentId}/versions/{from}/diff/{to}"];

/** Compare two versions of a cookie configuration (RFC 6902). */
export const diffCookieConfigurationVersions: Operation<{ path: { documentId: string; from: number; to: number } }, ({ op: string; path: string } & { [name: string]: unknown })[]> = ["GET", "/v1/vault/cookies/{documentId}/versions/{from}/diff/{to}"];

/** Compare two versions of a data protection officer (RFC 6902). */
export const diffDataProtectionOfficerVersions: Operation<{ path: { documentId: string; from: number; to: number } }, ({ op: string; path: string } & { [name: string]: unknown })[]> = ["GET", "/v1/vault/dpo/{documentId}/versions/{from}/diff/{to}"];

/** Compare two versions of a media item (RFC 6902). */
export const diffMediaItemVersions: Operation<{ path: { documentId: string; from: number; to: number } }, ({ op: string; path: string } & { [name: string]: unknown })[]> = ["GET", "/v1/vault/media/{documentId}/versions/{from}/diff/{to}"];

/** Compare two versions of a processing (RFC 6902). */
export const diffProcessingVersions: Operation<{ path: { documentId: string; from: number; to: number } }, ({ op: string; path: string } & { [name: string]: unknown })[]> = ["GET", "/v1/vault/processings/{documentId}/versions/{from}/diff/{to}"];

/** Compare two versions of a project (RFC 6902). */
export const diffProjectVersions: Operation<{ path: { documentId: string; from: number; to: number } }, ({ op: string; path: string } & { [name: string]: unknown })[]> = ["GET", "/v1/vault/projects/{documentId}/versions/{from}/diff/{to}"];

/** Compare two versions of a vendor (RFC 6902). */
export const diffVaultVendorVersions: Operation<{ path: { documentId: string; from: number; to: number } }, ({ op: string; path: string } & { [name: string]: unknown })[]> = ["GET", "/v1/vault/vendors/{documentId}/versions/{from}/diff/{to}"];

/** Compare two versions of an organization (RFC 6902). */
export const diffOrganizationVersions: Operation<{ path: { documentId: string; from: number; to: number } }, ({ op: string; path: string } & { [name: string]: unknown })[]> = ["GET", "/v1/vault/organizations/{documentId}/versions/{from}/diff/{to}"];

/** Confirm a proposed erasure. */
export const confirmErasure: Operation<{ path: { id: string; proposalId: string }; body?: object }, Erasure> = ["POST", "/v1/client/{id}/erasure-proposals/{proposalId}/confirmation"];

/** Confirm an e-mail address with the token that was mailed there. */
export const validateEmail: Operation<{ query: { token: string; redirectURI?: string } }, Success> = ["GET", "/v1/auth/local/validate"];

/** Confirm the session, for changes that require a recent sign-in. */
export const confirmSession: Operation<{ body: { /** Required without a second factor. */ password?: string; /** Required with a second factor: the current code of the authenticator app, or a recovery code. */ code?: string } }, Confirmed> = ["POST", "/v1/auth/confirm"];

/** Count the caller's unread notifications. */
export const countNotifications: Operation<undefined, { /** Number of unread notifications, 99 at most. */ unread: number }> = ["GET", "/v1/notifications/count"];

/** Create a TCF setting. */
export const createTcfSetting: Operation<{ body: TcfSettingIn }, TcfSetting> = ["POST", "/v1/vault/tcf"];

/** Create a consent form: a cookie, processing or contract configuration. */
export const createForm: Operation<{ path: { id: string }; body: { collection: "cookies" | "processings" | "contracts" } & { [name: string]: unknown } }, { /** 24 lower-case hexadecimal characters */ _id: string; /** 24 lower-case hexadecimal characters */ id: string; createdAt: string; createdBy: string; updatedAt: string; updatedBy: string; version: number; links: { [name: string]: string }; /** How the stored or the published document differs from what was sent, such as elements removed from HTML. */ warnings?: ({ path: string; message: string })[] } & { [name: string]: unknown }> = ["POST", "/v1/client/{id}/forms"];

/** Create a contract text. */
export const createContractText: Operation<{ body: ContractTextIn }, ContractText> = ["POST", "/v1/content/contracts"];

/** Create a contract. */
export const createContract: Operation<{ body: ContractIn }, Contract> = ["POST", "/v1/vault/contracts"];

/** Create a cookie configuration. */
export const createCookieConfiguration: Operation<{ body: CookieConfigurationIn }, CookieConfiguration> = ["POST", "/v1/vault/cookies"];

/** Create a data protection officer. */
export const createDataProtectionOfficer: Operation<{ body: DataProtectionOfficerIn }, DataProtectionOfficer> = ["POST", "/v1/vault/dpo"];

/** Create a link to a person's own page. */
export const createPersonLink: Operation<{ path: { id: string }; body: { /** printable characters that identify the visitor, not . or .. alone */ token: string; /** The end of its validity, at most 366 days ahead. Default: 30 days. */ expiresAt?: Instant } }, NewPersonLink> = ["POST", "/v1/client/{id}/links"];

/** Create a link to the review page of a draft. */
export const createReviewLink: Operation<{ path: { projectId: string }; body: { /** The person that the link is for. */ recipient: string; /** Validity in days. */ days?: number; mayComment?: boolean; /** Whether an approval by the link counts. Only owners create such a link, in a project whose settings allow it. */ mayApprove?: boolean } }, NewReviewLink> = ["POST", "/v1/reviews/{projectId}/links"];

/** Create a media item. */
export const createMediaItem: Operation<{ body: MediaItemIn }, MediaItem> = ["POST", "/v1/vault/media"];

/** Create a processing. */
export const createProcessing: Operation<{ body: ProcessingIn }, Processing> = ["POST", "/v1/vault/processings"];

/** Create a project. */
export const createClientProject: Operation<{ body: { name: string; /** an http or https address */ website: string; /** Further fields of the project in the vault. */ configuration?: { [name: string]: unknown }; /** The processor of the data; null for none. */ dataProcessor?: { [name: string]: unknown } | string | null; documents?: ({ identifier?: string } & { [name: string]: unknown })[]; processingActivities?: ({ identifier?: string } & { [name: string]: unknown })[] } }, ClientProject> = ["POST", "/v1/client/"];

/** Create a project. */
export const createProject: Operation<{ body: ProjectIn }, Project> = ["POST", "/v1/vault/projects"];

/** Create a user with a password, and sign the browser in. */
export const startSessionBySignup: Operation<{ body: unknown | unknown }, CookieSession> = ["POST", "/v1/auth/session/signup"];

/** Create a user with a password, and sign them in. */
export const signup: Operation<{ body: unknown | unknown }, Session> = ["POST", "/v1/auth/local/signup"];

/** Create a vendor. */
export const createVaultVendor: Operation<{ body: VaultVendorIn }, VaultVendor> = ["POST", "/v1/vault/vendors"];

/** Create a webhook. */
export const createWebhook: Operation<{ body: { /** The URL to post events to: https, on the public internet. */ url?: string; /** The URL to post events to: https, on the public internet. */ uri?: string; events?: (string)[]; /** an event such as consent.created, or the older consent/{projectId} */ event?: string; /** Sent with each delivery. Stored encrypted, and returned without values. */ headers?: { [name: string]: string }; enabled?: boolean; /** 24 hexadecimal characters */ projectId?: string; collection?: "cookies" | "processings" | "contracts"; /** 24 hexadecimal characters */ identifier?: string } }, WebhookWithSecret> = ["POST", "/v1/webhooks"];

/** Create an API key for programs; its secret is returned once. */
export const createApiKey: Operation<{ body: { label: string; /** Scopes of the key; docs/reference/api-accounts.md describes each. */ scopes: ("vault:read" | "vault:write" | "publish:read" | "publish:write" | "consents:read" | "consents:write" | "consents:erase" | "proofs:read" | "trail:read" | "stats:read" | "assets:read" | "assets:write" | "webhooks:read" | "webhooks:write" | "billing:read")[]; /** The end of its validity. Default: no expiry. */ expiresAt?: Instant; /** Limits the key to one project. */ projectId?: string } }, ApiKey> = ["POST", "/v1/auth/tokens"];

/** Create an organization. */
export const createOrganization: Operation<{ body: OrganizationIn }, Organization> = ["POST", "/v1/vault/organizations"];

/** Create ten recovery codes, which replace the previous ones. */
export const renewRecoveryCodes: Operation<{ body?: object }, RecoveryCodes> = ["POST", "/v1/auth/factor/recovery-codes"];

/** Decline a request for erasure. */
export const declineErasureRequest: Operation<{ path: { id: string; requestId: string } }, null> = ["DELETE", "/v1/client/{id}/erasure-requests/{requestId}"];

/** Decline an offered project. */
export const declineOfferedProject: Operation<{ path: { token: string } }, null> = ["DELETE", "/v1/vault/transfers/{token}"];

/** Delete a TCF setting. */
export const deleteTcfSetting: Operation<{ path: { documentId: string }; query?: { confirm?: string } }, null> = ["DELETE", "/v1/vault/tcf/{documentId}"];

/** Delete a comment, with the replies to it. */
export const deleteComment: Operation<{ path: { projectId: string; commentId: string } }, null> = ["DELETE", "/v1/reviews/{projectId}/comments/{commentId}"];

/** Delete a contract text. */
export const deleteContractText: Operation<{ path: { documentId: string }; query?: { confirm?: string } }, null> = ["DELETE", "/v1/content/contracts/{documentId}"];

/** Delete a contract. */
export const deleteContract: Operation<{ path: { documentId: string }; query?: { confirm?: string } }, null> = ["DELETE", "/v1/vault/contracts/{documentId}"];

/** Delete a cookie configuration. */
export const deleteCookieConfiguration: Operation<{ path: { documentId: string }; query?: { confirm?: string } }, null> = ["DELETE", "/v1/vault/cookies/{documentId}"];

/** Delete a data protection officer. */
export const deleteDataProtectionOfficer: Operation<{ path: { documentId: string }; query?: { confirm?: string } }, null> = ["DELETE", "/v1/vault/dpo/{documentId}"];

/** Delete a file that nothing uses. */
export const deleteAsset: Operation<{ path: { id: string } }, null> = ["DELETE", "/v1/assets/{id}"];

/** Delete a media item. */
export const deleteMediaItem: Operation<{ path: { documentId: string }; query?: { confirm?: string } }, null> = ["DELETE", "/v1/vault/media/{documentId}"];

/** Delete a processing. */
export const deleteProcessing: Operation<{ path: { documentId: string }; query?: { confirm?: string } }, null> = ["DELETE", "/v1/vault/processings/{documentId}"];

/** Delete a project. */
export const deleteProject: Operation<{ path: { documentId: string }; query?: { confirm?: string } }, null> = ["DELETE", "/v1/vault/projects/{documentId}"];

/** Delete a vendor. */
export const deleteVaultVendor: Operation<{ path: { documentId: string }; query?: { confirm?: string } }, null> = ["DELETE", "/v1/vault/vendors/{documentId}"];

/** Delete a webhook with its deliveries. */
export const deleteWebhook: Operation<{ path: { id: string } }, null> = ["DELETE", "/v1/webhooks/{id}"];

/** Delete an organization. */
export const deleteOrganization: Operation<{ path: { documentId: string }; query?: { confirm?: string } }, null> = ["DELETE", "/v1/vault/organizations/{documentId}"];

/** Delete the signed-in user's account. */
export const deleteMe: Operation<{ body: { /** Your username, against deletion by mistake. */ confirm: string; /** The password, for accounts without a second factor. Optional in a session started or confirmed in the last 15 minutes. */ password?: string; /** For accounts with a second factor: a code of the authenticator app, or a recovery code. Optional under the same condition. */ code?: string } }, null> = ["POST", "/v1/auth/me/deletion"];

/** Disable a user: revoke all of their sessions and API keys, and reject their sign-ins. */
export const disableUser: Operation<{ path: { userId: string }; body?: object }, null> = ["PUT", "/v1/auth/users/{userId}/disabled"];

/** Download an audit package of consents with their proofs, as a ZIP archive. */
export const getDossier: Operation<{ path: { projectId: string }; query?: { token?: string; sample?: number; seed?: string; start?: Instant; end?: Instant; language?: "en" | "fr" } }, null> = ["GET", "/v1/app/dossiers/{projectId}"];

/** Duplicate a TCF setting. */
export const duplicateTcfSetting: Operation<{ path: { documentId: string }; body?: object }, TcfSetting> = ["POST", "/v1/vault/tcf/{documentId}/duplicate"];

/** Duplicate a contract text. */
export const duplicateContractText: Operation<{ path: { documentId: string }; body?: object }, ContractText> = ["POST", "/v1/content/contracts/{documentId}/duplicate"];

/** Duplicate a contract. */
export const duplicateContract: Operation<{ path: { documentId: string }; body?: object }, Contract> = ["POST", "/v1/vault/contracts/{documentId}/duplicate"];

/** Duplicate a cookie configuration. */
export const duplicateCookieConfiguration: Operation<{ path: { documentId: string }; body?: object }, CookieConfiguration> = ["POST", "/v1/vault/cookies/{documentId}/duplicate"];

/** Duplicate a data protection officer. */
export const duplicateDataProtectionOfficer: Operation<{ path: { documentId: string }; body?: object }, DataProtectionOfficer> = ["POST", "/v1/vault/dpo/{documentId}/duplicate"];

/** Duplicate a media item. */
export const duplicateMediaItem: Operation<{ path: { documentId: string }; body?: object }, MediaItem> = ["POST", "/v1/vault/media/{documentId}/duplicate"];

/** Duplicate a processing. */
export const duplicateProcessing: Operation<{ path: { documentId: string }; body?: object }, Processing> = ["POST", "/v1/vault/processings/{documentId}/duplicate"];

/** Duplicate a project. */
export const duplicateProject: Operation<{ path: { documentId: string }; body?: ProjectCopyIn }, Project> = ["POST", "/v1/vault/projects/{documentId}/duplicate"];

/** Duplicate a vendor. */
export const duplicateVaultVendor: Operation<{ path: { documentId: string }; body?: object }, VaultVendor> = ["POST", "/v1/vault/vendors/{documentId}/duplicate"];

/** Edit a comment, or resolve or reopen its thread. */
export const changeComment: Operation<{ path: { projectId: string; commentId: string }; body: { /** Plain text; line breaks are kept. */ text: string } | { /** Only of the first comment of a thread. */ resolved: boolean } }, Comment> = ["PATCH", "/v1/reviews/{projectId}/comments/{commentId}"];

/** Enable a user again. */
export const enableUser: Operation<{ path: { userId: string } }, null> = ["DELETE", "/v1/auth/users/{userId}/disabled"];

/** Enable the pending second factor with one of its codes. */
export const confirmFactor: Operation<{ body: { /** Required with a second factor: the current code of the authenticator app, or a recovery code. */ code: string } }, RecoveryCodes> = ["POST", "/v1/auth/factor/confirm"];

/** Erase a person's data. */
export const eraseToken: Operation<{ path: { projectId: string; token: string } }, Erasure | ErasureProposal> = ["DELETE", "/v1/app/tokens/{projectId}/{token}"];

/** Exchange the one-time code of a provider sign-in for an access token. */
export const exchangeCode: Operation<{ body: { /** The one-time code of the sign-in. */ code: string; /** Required with a second factor: the current code of the authenticator app, or a recovery code. */ factorCode?: string } }, Session> = ["POST", "/v1/auth/exchange"];

/** Export the consents of a project. */
export const exportConsents: Operation<{ path: { projectId: string; format: "csv" | "ndjson" | "parquet" }; query?: { start?: Instant; end?: Instant; token?: string; collection?: "cookies" | "processings" | "contracts"; identifier?: string; accept?: boolean; dialect?: "rfc4180" | "plain"; after?: string } }, null> = ["GET", "/v1/app/exports/{projectId}.{format}"];

/** Get a TCF setting. */
export const getTcfSetting: Operation<{ path: { documentId: string } }, TcfSetting> = ["GET", "/v1/vault/tcf/{documentId}"];

/** Get a contract text. */
export const getContractText: Operation<{ path: { documentId: string } }, ContractText> = ["GET", "/v1/content/contracts/{documentId}"];

/** Get a contract. */
export const getContract: Operation<{ path: { documentId: string } }, Contract> = ["GET", "/v1/vault/contracts/{documentId}"];

/** Get a cookie configuration. */
export const getCookieConfiguration: Operation<{ path: { documentId: string } }, CookieConfiguration> = ["GET", "/v1/vault/cookies/{documentId}"];

/** Get a data protection officer. */
export const getDataProtectionOfficer: Operation<{ path: { documentId: string } }, DataProtectionOfficer> = ["GET", "/v1/vault/dpo/{documentId}"];

/** Get a delivery with its attempts. */
export const getWebhookDelivery: Operation<{ path: { id: string; deliveryId: string } }, WebhookDelivery> = ["GET", "/v1/webhooks/{id}/deliveries/{deliveryId}"];

/** Get a file or a render of it. */
export const getAsset: Operation<{ path: { id: string }; query?: { w?: number; h?: number; fit?: "clip" | "crop" | "fill" | "max" | "scale"; dpr?: number; q?: number; fm?: "auto" | "avif" | "webp" | "jpg" | "png"; auto?: string; crop?: string; bg?: string } }, null> = ["GET", "/v1/assets/{id}"];

/** Get a media item. */
export const getMediaItem: Operation<{ path: { documentId: string } }, MediaItem> = ["GET", "/v1/vault/media/{documentId}"];

/** Get a processing. */
export const getProcessing: Operation<{ path: { documentId: string } }, Processing> = ["GET", "/v1/vault/processings/{documentId}"];

/** Get a project with its configurations. */
export const getExtendedProject: Operation<{ query: { projectId: string } }, ExtendedProject> = ["GET", "/v1/vault/projects/extended"];

/** Get a project. */
export const getClientProject: Operation<{ path: { id: string } }, ClientProject> = ["GET", "/v1/client/{id}"];

/** Get a project. */
export const getProject: Operation<{ path: { documentId: string } }, Project> = ["GET", "/v1/vault/projects/{documentId}"];

/** Get a publication of a template's sites. */
export const getTemplatePublication: Operation<{ path: { templateId: string; publicationId: string } }, TemplatePublication> = ["GET", "/v1/publish/templates/{templateId}/publications/{publicationId}"];

/** Get a publish job, or a project's latest one. */
export const getPublishJob: Operation<{ path: { id: string } }, PublishJob> = ["GET", "/v1/publish/jobs/{id}"];

/** Get a scan with its result. */
export const getScan: Operation<{ path: { projectId: string; scanId: string } }, ScanWithResult> = ["GET", "/v1/publish/projects/{projectId}/scans/{scanId}"];

/** Get a tile of the log's tree, or a bundle of its entries. */
export const getLogTile: Operation<{ path: { level: string; index: string } }, null> = ["GET", "/log/tile/{level}/{index}"];

/** Get a token's latest consent. */
export const getLatestConsent: Operation<{ path: { projectId: string }; query: { token: string; service?: "cookies" | "processings" | "contracts"; identifier?: string } }, Consent | { accept: false }> = ["GET", "/v1/app/consent/{projectId}"];

/** Get a token's state and a page of its history. */
export const getTokenConsents: Operation<{ path: { id: string; token: string }; query?: { limit?: number; cursor?: string; at?: Instant; dialect?: "rfc4180" | "plain"; stateCursor?: string } }, TokenConsents> = ["GET", "/v1/client/{id}/consents/{token}"];

/** Get a vendor. */
export const getVaultVendor: Operation<{ path: { documentId: string } }, VaultVendor> = ["GET", "/v1/vault/vendors/{documentId}"];

/** Get a version of a TCF setting. */
export const getTcfSettingVersion: Operation<{ path: { documentId: string; version: number } }, { version: number; /** create, replace, patch, restore or inherit */ operation: string; createdAt: string; createdBy: string; links: { [name: string]: string }; /** The document's own fields after this write. */ document: { [name: string]: unknown } }> = ["GET", "/v1/vault/tcf/{documentId}/versions/{version}"];

/** Get a version of a contract text. */
export const getContractTextVersion: Operation<{ path: { documentId: string; version: number } }, { version: number; /** create, replace, patch, restore or inherit */ operation: string; createdAt: string; createdBy: string; links: { [name: string]: string }; /** The document's own fields after this write. */ document: { [name: string]: unknown } }> = ["GET", "/v1/content/contracts/{documentId}/versions/{version}"];

/** Get a version of a contract. */
export const getContractVersion: Operation<{ path: { documentId: string; version: number } }, { version: number; /** create, replace, patch, restore or inherit */ operation: string; createdAt: string; createdBy: string; links: { [name: string]: string }; /** The document's own fields after this write. */ document: { [name: string]: unknown } }> = ["GET", "/v1/vault/contracts/{documentId}/versions/{version}"];

/** Get a version of a cookie configuration. */
export const getCookieConfigurationVersion: Operation<{ path: { documentId: string; version: number } }, { version: number; /** create, replace, patch, restore or inherit */ operation: string; createdAt: string; createdBy: string; links: { [name: string]: string }; /** The document's own fields after this write. */ document: { [name: string]: unknown } }> = ["GET", "/v1/vault/cookies/{documentId}/versions/{version}"];

/** Get a version of a data protection officer. */
export const getDataProtectionOfficerVersion: Operation<{ path: { documentId: string; version: number } }, { version: number; /** create, replace, patch, restore or inherit */ operation: string; createdAt: string; createdBy: string; links: { [name: string]: string }; /** The document's own fields after this write. */ document: { [name: string]: unknown } }> = ["GET", "/v1/vault/dpo/{documentId}/versions/{version}"];

/** Get a version of a media item. */
export const getMediaItemVersion: Operation<{ path: { documentId: string; version: number } }, { version: number; /** create, replace, patch, restore or inherit */ operation: string; createdAt: string; createdBy: string; links: { [name: string]: string }; /** The document's own fields after this write. */ document: { [name: string]: unknown } }> = ["GET", "/v1/vault/media/{documentId}/versions/{version}"];

/** Get a version of a processing. */
export const getProcessingVersion: Operation<{ path: { documentId: string; version: number } }, { version: number; /** create, replace, patch, restore or inherit */ operation: string; createdAt: string; createdBy: string; links: { [name: string]: string }; /** The document's own fields after this write. */ document: { [name: string]: unknown } }> = ["GET", "/v1/vault/processings/{documentId}/versions/{version}"];

/** Get a version of a project. */
export const getProjectVersion: Operation<{ path: { documentId: string; version: number } }, { version: number; /** create, replace, patch, restore or inherit */ operation: string; createdAt: string; createdBy: string; links: { [name: string]: string }; /** The document's own fields after this write. */ document: { [name: string]: unknown } }> = ["GET", "/v1/vault/projects/{documentId}/versions/{version}"];

/** Get a version of a vendor. */
export const getVaultVendorVersion: Operation<{ path: { documentId: string; version: number } }, { version: number; /** create, replace, patch, restore or inherit */ operation: string; createdAt: string; createdBy: string; links: { [name: string]: string }; /** The document's own fields after this write. */ document: { [name: string]: unknown } }> = ["GET", "/v1/vault/vendors/{documentId}/versions/{version}"];

/** Get a version of an organization. */
export const getOrganizationVersion: Operation<{ path: { documentId: string; version: number } }, { version: number; /** create, replace, patch, restore or inherit */ operation: string; createdAt: string; createdBy: string; links: { [name: string]: string }; /** The document's own fields after this write. */ document: { [name: string]: unknown } }> = ["GET", "/v1/vault/organizations/{documentId}/versions/{version}"];

/** Get a webhook. */
export const getWebhook: Operation<{ path: { id: string } }, Webhook> = ["GET", "/v1/webhooks/{id}"];

/** Get all events as an AsyncAPI 3 document. */
export const getAsyncapi: Operation<undefined, { [name: string]: unknown }> = ["GET", "/v1/webhooks/asyncapi.json"];

/** Get an import. */
export const getImport: Operation<{ path: { projectId: string; id: string } }, Import> = ["GET", "/v1/app/imports/{projectId}/{id}"];

/** Get an operator of the installation. */
export const getOperator: Operation<{ path: { userId: string } }, Operator> = ["GET", "/v1/auth/operators/{userId}"];

/** Get an organization's subscription. */
export const getOrganizationBilling: Operation<{ path: { organizationId: string } }, OrganizationBilling> = ["GET", "/v1/billing/organizations/{organizationId}"];

/** Get an organization. */
export const getOrganization: Operation<{ path: { documentId: string } }, Organization> = ["GET", "/v1/vault/organizations/{documentId}"];

/** Get metrics for Prometheus. */
export const getMetrics: Operation<undefined, null> = ["GET", "/metrics"];

/** Get one of the signed-in user's sessions or API keys. */
export const getAccessToken: Operation<{ path: { id: string } }, AccessToken> = ["GET", "/v1/auth/tokens/{id}"];

/** Get statistics of displays and answers. */
export const getStatistics: Operation<{ path: { projectId: string }; query?: { from?: Instant; to?: Instant; by?: "day" | "hour"; group?: "configuration" | "language" | "device" | "step" | "page" | "region" | "vendor"; configuration?: string; tz?: string; dialect?: "rfc4180" | "plain"; format?: "json" | "csv" } }, Statistics> = ["GET", "/v1/app/stats/{projectId}"];

/** Get the authority's response for a checkpoint. */
export const getTimestamp: Operation<{ path: { size: string } }, null> = ["GET", "/log/timestamps/{size}.tsr"];

/** Get the caller's choices about notifications and mails. */
export const getNotificationSettings: Operation<undefined, NotificationSettings> = ["GET", "/v1/notifications/settings"];

/** Get the checkpoint that a time-stamp covers. */
export const getTimestampedCheckpoint: Operation<{ path: { size: string } }, null> = ["GET", "/log/timestamps/{size}.txt"];

/** Get the current answers of a token. */
export const readPersonAnswers: Operation<{ path: { id: string }; body: { /** printable characters that identify the visitor, not . or .. alone */ token: string } }, PersonAnswers> = ["POST", "/v1/client/{id}/answers"];

/** Get the document and the role of an invitation. */
export const getInvitation: Operation<{ path: { token: string } }, Invitation> = ["GET", "/v1/auth/invitations/{token}"];

/** Get the domain of an organization. */
export const getDomain: Operation<{ path: { documentId: string } }, DomainOut> = ["GET", "/v1/vault/organizations/{documentId}/domain"];

/** Get the live configuration of a project. */
export const getPublishedFile: Operation<{ path: { projectId: string } }, { [name: string]: unknown }> = ["GET", "/cdn/{projectId}.json"];

/** Get the metadata of a file. */
export const getAssetMetadata: Operation<{ path: { id: string } }, AssetMetadata> = ["GET", "/v1/assets/{id}/metadata"];

/** Get the name, the version and links to every service. */
export const getRoot: Operation<undefined, { name: string; version: string; links: { [name: string]: string } }> = ["GET", "/v1"];

/** Get the newest checkpoint that witnesses cosigned. */
export const getWitnessedCheckpoint: Operation<undefined, null> = ["GET", "/log/checkpoint/witnessed"];

/** Get the newest signed checkpoint. */
export const getCheckpoint: Operation<undefined, null> = ["GET", "/log/checkpoint"];

/** Get the offer of a link. */
export const getOfferedProject: Operation<{ path: { token: string } }, OfferedTransfer> = ["GET", "/v1/vault/transfers/{token}"];

/** Get the page that verifies proofs. */
export const getVerifier: Operation<undefined, null> = ["GET", "/verify"];

/** Get the pending offer of a project. */
export const getProjectOffer: Operation<{ path: { documentId: string } }, Transfer> = ["GET", "/v1/vault/projects/{documentId}/transfer"];

/** Get the progress of an export, and how to verify its file. */
export const getExportManifest: Operation<{ path: { projectId: string; exportId: string } }, ExportManifest> = ["GET", "/v1/app/exports/{projectId}/manifests/{exportId}"];

/** Get the project's rule for erasures. */
export const getErasureRule: Operation<{ path: { id: string } }, ErasureRule> = ["GET", "/v1/client/{id}/erasure-rule"];

/** Get the proof of a consent. */
export const getProof: Operation<{ path: { consentId: string }; query?: { token?: string; format?: "json" | "pdf" | "jsonld"; language?: "en" | "fr" } }, { format: "avow-proof-bundle/v1"; /** The log's origin (C2SP tlog-checkpoint). */ origin: string; /** The C2SP signed-note verifier keys of the log and of the witnesses that signed the tree. Compare them with the keys that you trust. */ keys: (string)[]; consent: { /** The record that the log commits to, in its canonical form (RFC 8785). */ record: { [name: string]: unknown }; /** 32 bytes in base64. */ salt: string; /** A C2SP tlog-proof: the inclusion in the signed tree. */ proof: string }; publication: { /** The record that the log commits to, in its canonical form (RFC 8785). */ record: { [name: string]: unknown }; /** 32 bytes in base64. */ salt: string; /** A C2SP tlog-proof: the inclusion in the signed tree. */ proof: string; /** The published file, byte for byte as hashed. */ content: string } | null }> = ["GET", "/v1/app/proofs/{consentId}"];

/** Get the receipt of an erasure. */
export const getErasureReceipt: Operation<{ path: { projectId: string; id: string } }, { format: "avow-erasure-receipt/v1"; /** The log's origin (C2SP tlog-checkpoint). */ origin: string; /** The C2SP signed-note verifier keys that signed the tree. */ keys: (string)[]; /** The log entries of the erasure: one, or several for an erasure of thousands of records. */ erasure: ({ /** The record that the log commits to, in its canonical form (RFC 8785). */ record: { [name: string]: unknown }; /** 32 bytes in base64. */ salt: string; /** A C2SP tlog-proof: the inclusion in the signed tree. */ proof: string })[] }> = ["GET", "/v1/app/erasures/{projectId}/{id}"];

/** Get the rejected lines of an import, with their reasons. */
export const getRefusedLines: Operation<{ path: { projectId: string; id: string } }, null> = ["GET", "/v1/app/imports/{projectId}/{id}/refused"];

/** Get the rule for new passwords. */
export const getPasswordRule: Operation<undefined, PasswordRule> = ["GET", "/v1/auth/local/password-rule"];

/** Get the signed-in user. */
export const getMe: Operation<undefined, User> = ["GET", "/v1/auth/me"];

/** Get the state of a draft's review. */
export const getReview: Operation<{ path: { projectId: string } }, Review> = ["GET", "/v1/reviews/{projectId}"];

/** Get the state of the installation. */
export const getInstanceStatus: Operation<undefined, InstanceStatus> = ["GET", "/v1/instance/status"];

/** Get the visitor's region. */
export const getRegion: Operation<undefined, { /** A country (`FR`) or a subdivision (`US-CA`), by the headers of the edge or the service's MMDB file; null if unknown. */ region: string | null; /** Whether the request carried `Sec-GPC: 1`. */ gpc: boolean }> = ["GET", "/v1/client/region"];

/** Get the widget's script. */
export const getWidget: Operation<undefined, null> = ["GET", "/widget.js"];

/** Get this interface as an OpenAPI 3.1 document. */
export const getOpenapi: Operation<undefined, { [name: string]: unknown }> = ["GET", "/v1/openapi.json"];

/** Get what a site has from its template. */
export const getInheritance: Operation<{ path: { projectId: string } }, Inheritance> = ["GET", "/v1/vault/projects/{projectId}/inheritance"];

/** Get who can sign up. */
export const getSignups: Operation<undefined, Signups> = ["GET", "/v1/auth/signups"];

/** Give a user roles on a TCF setting. */
export const addTcfSettingUser: Operation<{ path: { documentId: string }; body: { userId?: string; email?: string; /** Default: viewer. */ roles?: ("owner" | "editor" | "viewer" | "auditor")[] } }, ({ _id: string; id: string; userId: string; /** Null if the user has none, and while the name is null. */ email: string | null; /** Also false while the name is null. */ emailConfirmed: boolean; /** Null for a user who was added by `userId`, has not opened the document since, and shares no other one with you. */ displayName: string | null; roles: ("owner" | "editor" | "viewer" | "auditor")[]; addedAt: string; /** The project or organization that all of the roles come from. */ inheritedFrom?: string })[]> = ["POST", "/v1/vault/tcf/{documentId}/users"];

/** Give a user roles on a contract text. */
export const addContractTextUser: Operation<{ path: { documentId: string }; body: { userId?: string; email?: string; /** Default: viewer. */ roles?: ("owner" | "editor" | "viewer" | "auditor")[] } }, ({ _id: string; id: string; userId: string; /** Null if the user has none, and while the name is null. */ email: string | null; /** Also false while the name is null. */ emailConfirmed: boolean; /** Null for a user who was added by `userId`, has not opened the document since, and shares no other one with you. */ displayName: string | null; roles: ("owner" | "editor" | "viewer" | "auditor")[]; addedAt: string; /** The project or organization that all of the roles come from. */ inheritedFrom?: string })[]> = ["POST", "/v1/content/contracts/{documentId}/users"];

/** Give a user roles on a contract. */
export const addContractUser: Operation<{ path: { documentId: string }; body: { userId?: string; email?: string; /** Default: viewer. */ roles?: ("owner" | "editor" | "viewer" | "auditor")[] } }, ({ _id: string; id: string; userId: string; /** Null if the user has none, and while the name is null. */ email: string | null; /** Also false while the name is null. */ emailConfirmed: boolean; /** Null for a user who was added by `userId`, has not opened the document since, and shares no other one with you. */ displayName: string | null; roles: ("owner" | "editor" | "viewer" | "auditor")[]; addedAt: string; /** The project or organization that all of the roles come from. */ inheritedFrom?: string })[]> = ["POST", "/v1/vault/contracts/{documentId}/users"];

/** Give a user roles on a cookie configuration. */
export const addCookieConfigurationUser: Operation<{ path: { documentId: string }; body: { userId?: string; email?: string; /** Default: viewer. */ roles?: ("owner" | "editor" | "viewer" | "auditor")[] } }, ({ _id: string; id: string; userId: string; /** Null if the user has none, and while the name is null. */ email: string | null; /** Also false while the name is null. */ emailConfirmed: boolean; /** Null for a user who was added by `userId`, has not opened the document since, and shares no other one with you. */ displayName: string | null; roles: ("owner" | "editor" | "viewer" | "auditor")[]; addedAt: string; /** The project or organization that all of the roles come from. */ inheritedFrom?: string })[]> = ["POST", "/v1/vault/cookies/{documentId}/users"];

/** Give a user roles on a data protection officer. */
export const addDataProtectionOfficerUser: Operation<{ path: { documentId: string }; body: { userId?: string; email?: string; /** Default: viewer. */ roles?: ("owner" | "editor" | "viewer" | "auditor")[] } }, ({ _id: string; id: string; userId: string; /** Null if the user has none, and while the name is null. */ email: string | null; /** Also false while the name is null. */ emailConfirmed: boolean; /** Null for a user who was added by `userId`, has not opened the document since, and shares no other one with you. */ displayName: string | null; roles: ("owner" | "editor" | "viewer" | "auditor")[]; addedAt: string; /** The project or organization that all of the roles come from. */ inheritedFrom?: string })[]> = ["POST", "/v1/vault/dpo/{documentId}/users"];

/** Give a user roles on a media item. */
export const addMediaItemUser: Operation<{ path: { documentId: string }; body: { userId?: string; email?: string; /** Default: viewer. */ roles?: ("owner" | "editor" | "viewer" | "auditor")[] } }, ({ _id: string; id: string; userId: string; /** Null if the user has none, and while the name is null. */ email: string | null; /** Also false while the name is null. */ emailConfirmed: boolean; /** Null for a user who was added by `userId`, has not opened the document since, and shares no other one with you. */ displayName: string | null; roles: ("owner" | "editor" | "viewer" | "auditor")[]; addedAt: string; /** The project or organization that all of the roles come from. */ inheritedFrom?: string })[]> = ["POST", "/v1/vault/media/{documentId}/users"];

/** Give a user roles on a processing. */
export const addProcessingUser: Operation<{ path: { documentId: string }; body: { userId?: string; email?: string; /** Default: viewer. */ roles?: ("owner" | "editor" | "viewer" | "auditor")[] } }, ({ _id: string; id: string; userId: string; /** Null if the user has none, and while the name is null. */ email: string | null; /** Also false while the name is null. */ emailConfirmed: boolean; /** Null for a user who was added by `userId`, has not opened the document since, and shares no other one with you. */ displayName: string | null; roles: ("owner" | "editor" | "viewer" | "auditor")[]; addedAt: string; /** The project or organization that all of the roles come from. */ inheritedFrom?: string })[]> = ["POST", "/v1/vault/processings/{documentId}/users"];

/** Give a user roles on a project. */
export const addProjectUser: Operation<{ path: { documentId: string }; body: { userId?: string; email?: string; /** Default: viewer. */ roles?: ("owner" | "editor" | "viewer" | "auditor")[] } }, ({ _id: string; id: string; userId: string; /** Null if the user has none, and while the name is null. */ email: string | null; /** Also false while the name is null. */ emailConfirmed: boolean; /** Null for a user who was added by `userId`, has not opened the document since, and shares no other one with you. */ displayName: string | null; roles: ("owner" | "editor" | "viewer" | "auditor")[]; addedAt: string; /** The project or organization that all of the roles come from. */ inheritedFrom?: string })[]> = ["POST", "/v1/vault/projects/{documentId}/users"];

/** Give a user roles on a vendor. */
export const addVaultVendorUser: Operation<{ path: { documentId: string }; body: { userId?: string; email?: string; /** Default: viewer. */ roles?: ("owner" | "editor" | "viewer" | "auditor")[] } }, ({ _id: string; id: string; userId: string; /** Null if the user has none, and while the name is null. */ email: string | null; /** Also false while the name is null. */ emailConfirmed: boolean; /** Null for a user who was added by `userId`, has not opened the document since, and shares no other one with you. */ displayName: string | null; roles: ("owner" | "editor" | "viewer" | "auditor")[]; addedAt: string; /** The project or organization that all of the roles come from. */ inheritedFrom?: string })[]> = ["POST", "/v1/vault/vendors/{documentId}/users"];

/** Give a user roles on an organization. */
export const addOrganizationUser: Operation<{ path: { documentId: string }; body: { userId?: string; email?: string; /** Default: viewer. */ roles?: ("owner" | "editor" | "viewer" | "auditor")[] } }, ({ _id: string; id: string; userId: string; /** Null if the user has none, and while the name is null. */ email: string | null; /** Also false while the name is null. */ emailConfirmed: boolean; /** Null for a user who was added by `userId`, has not opened the document since, and shares no other one with you. */ displayName: string | null; roles: ("owner" | "editor" | "viewer" | "auditor")[]; addedAt: string; /** The project or organization that all of the roles come from. */ inheritedFrom?: string })[]> = ["POST", "/v1/vault/organizations/{documentId}/users"];

/** Give fields of an inherited document the template's values again. */
export const resetInheritedDocument: Operation<{ path: { projectId: string; documentId: string }; body?: { fields?: (string)[] } }, { /** 24 lower-case hexadecimal characters */ _id: string; /** 24 lower-case hexadecimal characters */ id: string; createdAt: string; createdBy: string; updatedAt: string; updatedBy: string; version: number; links: { [name: string]: string }; /** How the stored or the published document differs from what was sent, such as elements removed from HTML. */ warnings?: ({ path: string; message: string })[] } & { [name: string]: unknown }> = ["POST", "/v1/vault/projects/{projectId}/inheritance/{documentId}/reset"];

/** Import consents from a file. */
export const importConsents: Operation<{ path: { projectId: string }; query?: { dryRun?: boolean }; body: Blob | FormData | ReadableStream<Uint8Array> }, Import> = ["POST", "/v1/app/imports/{projectId}"];

/** Invite a person to a project or an organization by mail. */
export const invite: Operation<{ body: { email: string; displayName?: string; /** Default: viewer. */ role?: "owner" | "editor" | "viewer" | "auditor"; data: { collection: "projects" | "organizations"; id: string }; /** Only an account that has confirmed the invited address can accept. Default: true where a sign-in provider of one organization is configured (`GET /v1/auth/providers`), else false. */ boundToAddress?: boolean } }, Invited> = ["POST", "/v1/auth/invitations"];

/** List a project's erasures, newest first. */
export const listErasures: Operation<{ path: { projectId: string }; query?: { limit?: number; cursor?: string } }, { items: (Erasure)[]; links: { self: string; next?: string } }> = ["GET", "/v1/app/erasures/{projectId}"];

/** List a project's imports, newest first. */
export const listImports: Operation<{ path: { projectId: string }; query?: { limit?: number; cursor?: string } }, { items: (Import)[]; links: { self: string; next?: string } }> = ["GET", "/v1/app/imports/{projectId}"];

/** List a project's publications, newest first. */
export const listPublications: Operation<{ path: { projectId: string }; query?: { page?: number; perPage?: number; sort?: string; environment?: "production" | "staging" } }, (Publication)[]> = ["GET", "/v1/publish/projects/{projectId}/versions"];

/** List a project's publish jobs, newest first. */
export const listPublishJobs: Operation<{ query: { page?: number; perPage?: number; sort?: string; projectId: string; environment?: "production" | "staging"; status?: "Pending" | "Active" | "Done" | "Error" } }, (PublishJob)[]> = ["GET", "/v1/publish/jobs"];

/** List a webhook's deliveries, newest first. */
export const listWebhookDeliveries: Operation<{ path: { id: string }; query?: { limit?: number; cursor?: string; status?: "pending" | "delivered" | "parked" | "cancelled"; event?: string; projectId?: string; collection?: string; identifier?: string } }, { items: (WebhookDelivery)[]; links: { self: string; next?: string } }> = ["GET", "/v1/webhooks/{id}/deliveries"];

/** List all approvals of a project's drafts, and requests for changes, newest first. */
export const listDecisions: Operation<{ path: { projectId: string }; query?: { limit?: number; cursor?: string } }, { items: (Decision)[]; links: { self: string; next?: string } }> = ["GET", "/v1/reviews/{projectId}/decisions"];

/** List an organization's invoices, the newest first. */
export const listInvoices: Operation<{ path: { organizationId: string }; query?: { limit?: number; cursor?: string } }, { items: (Invoice)[]; links: { self: string; next?: string } }> = ["GET", "/v1/billing/organizations/{organizationId}/invoices"];

/** List audit events of an organization or a project, newest first. */
export const listAuditTrail: Operation<{ query?: { limit?: number; cursor?: string; organizationId?: string; projectId?: string; actor?: string; event?: string; documentId?: string; dialect?: "rfc4180" | "plain"; from?: Instant; to?: Instant } }, { items: ({ id: string; at: string; /** The name of the event, such as `project.updated`. */ event: string; actor: { /** A user's id, or the part of the service that acted. */ id: string; displayName?: string; email?: string; /** The session or API key, by its id. */ tokenId?: string }; organizationId?: string; projectId?: string; documentId?: string; /** The network of the request: an IPv4 /24 or an IPv6 /48, never a full address. Absent for jobs. */ network?: string; requestId?: string; /** Ids, versions and names; no content, no secret. */ details: { [name: string]: unknown } })[]; links: { self: string; next?: string } }> = ["GET", "/v1/vault/audit"];

/** List events after a cursor, oldest first. */
export const listEvents: Operation<{ query?: { limit?: number; cursor?: string; projectId?: string; collection?: "cookies" | "processings" | "contracts"; identifier?: string; events?: string } }, { items: (Event)[]; links: { self: string; next?: string } }> = ["GET", "/v1/webhooks/events"];

/** List the TCF settings that you may see. */
export const listTcfSettings: Operation<{ query?: { page?: number; perPage?: number; sort?: string; role?: "owner" | "editor" | "viewer" | "auditor" } }, (TcfSetting)[]> = ["GET", "/v1/vault/tcf"];

/** List the caller's files, newest first. */
export const listAssets: Operation<{ query?: { page?: number; perPage?: number; sort?: string; name?: string; type?: "image" | "image/png" | "image/jpeg" | "image/gif" | "image/webp" | "image/avif" | "image/svg+xml" | "application/pdf" } }, (Asset)[]> = ["GET", "/v1/assets"];

/** List the caller's notifications, newest first. */
export const listNotifications: Operation<{ query?: { limit?: number; cursor?: string; unread?: boolean } }, { items: (Notification)[]; links: { self: string; next?: string } }> = ["GET", "/v1/notifications"];

/** List the caller's webhooks, oldest first. */
export const listWebhooks: Operation<undefined, { webhooks: (Webhook)[] }> = ["GET", "/v1/webhooks"];

/** List the changes between two versions. */
export const diffPublications: Operation<{ path: { projectId: string; from: string; to: string }; query?: { environment?: "production" | "staging" } }, PublicationDiff> = ["GET", "/v1/publish/projects/{projectId}/versions/{from}/diff/{to}"];

/** List the consents of a project. */
export const listConsents: Operation<{ path: { projectId: string }; query?: { start?: Instant; end?: Instant; token?: string; collection?: "cookies" | "processings" | "contracts"; identifier?: string; accept?: boolean; import?: string; sort?: "-createdAt" | "createdAt"; page?: number; perPage?: number; dialect?: "rfc4180" | "plain"; cursor?: string } }, (Consent)[]> = ["GET", "/v1/app/consents/{projectId}"];

/** List the contract texts that you may see. */
export const listContractTexts: Operation<{ query?: { page?: number; perPage?: number; sort?: string; role?: "owner" | "editor" | "viewer" | "auditor" } }, (ContractText)[]> = ["GET", "/v1/content/contracts"];

/** List the contracts that you may see. */
export const listContracts: Operation<{ query?: { page?: number; perPage?: number; sort?: string; role?: "owner" | "editor" | "viewer" | "auditor" } }, (Contract)[]> = ["GET", "/v1/vault/contracts"];

/** List the cookie configurations that you may see. */
export const listCookieConfigurations: Operation<{ query?: { page?: number; perPage?: number; sort?: string; role?: "owner" | "editor" | "viewer" | "auditor" } }, (CookieConfiguration)[]> = ["GET", "/v1/vault/cookies"];

/** List the data protection officers that you may see. */
export const listDataProtectionOfficers: Operation<{ query?: { page?: number; perPage?: number; sort?: string; role?: "owner" | "editor" | "viewer" | "auditor" } }, (DataProtectionOfficer)[]> = ["GET", "/v1/vault/dpo"];

/** List the documents that others have added you to, newest first. */
export const listAdditions: Operation<{ query?: { page?: number; perPage?: number } }, (Addition)[]> = ["GET", "/v1/vault/additions"];

/** List the documents that use a file of the caller, at most 20. */
export const listAssetUses: Operation<{ path: { id: string } }, (AssetUse)[]> = ["GET", "/v1/assets/{id}/uses"];

/** List the erasures that wait for a second person. */
export const listErasureProposals: Operation<{ path: { id: string }; query?: { limit?: number; cursor?: string; token?: string } }, { items: (ErasureProposal)[]; links: { self: string; next?: string } }> = ["GET", "/v1/client/{id}/erasure-proposals"];

/** List the groups of the projects that you may see. */
export const listGroups: Operation<undefined, (SiteGroup)[]> = ["GET", "/v1/vault/groups"];

/** List the items that the accepted list is available for. */
export const listAskable: Operation<{ path: { id: string }; query?: { cursor?: string; limit?: number } }, (Askable)[]> = ["GET", "/v1/client/{id}/tokens/accepted"];

/** List the keys of the log and of its witnesses. */
export const listLogKeys: Operation<undefined, { origin: string; keys: (string)[]; witnesses: (string)[]; /** Entries of the log that announce new signing keys. */ announced: ({ record: { [name: string]: unknown }; /** 32 bytes in base64. */ salt: string; /** The leaf index. */ index: number })[] }> = ["GET", "/log/keys"];

/** List the media items that you may see. */
export const listMediaItems: Operation<{ query?: { page?: number; perPage?: number; sort?: string; role?: "owner" | "editor" | "viewer" | "auditor" } }, (MediaItem)[]> = ["GET", "/v1/vault/media"];

/** List the open requests for erasure. */
export const listErasureRequests: Operation<{ path: { id: string }; query?: { limit?: number; cursor?: string; token?: string } }, { items: (ErasureRequest)[]; links: { self: string; next?: string } }> = ["GET", "/v1/client/{id}/erasure-requests"];

/** List the operators of the installation, the first one first. */
export const listOperators: Operation<{ query?: { page?: number; perPage?: number; sort?: string } }, (Operator)[]> = ["GET", "/v1/auth/operators"];

/** List the organizations that you may see. */
export const listOrganizations: Operation<{ query?: { page?: number; perPage?: number; sort?: string; role?: "owner" | "editor" | "viewer" | "auditor" } }, (Organization)[]> = ["GET", "/v1/vault/organizations"];

/** List the pending invitations to a project or an organization, newest first. */
export const listInvitations: Operation<{ query: { page?: number; perPage?: number; collection: "projects" | "organizations"; id: string } }, (InvitationItem)[]> = ["GET", "/v1/auth/invitations"];

/** List the plans and their limits. */
export const listPlans: Operation<undefined, (Plan)[]> = ["GET", "/v1/billing/plans"];

/** List the processings that you may see. */
export const listProcessings: Operation<{ query?: { page?: number; perPage?: number; sort?: string; role?: "owner" | "editor" | "viewer" | "auditor" } }, (Processing)[]> = ["GET", "/v1/vault/processings"];

/** List the projects that are offered to you, newest first. */
export const listOfferedProjects: Operation<{ query?: { page?: number; perPage?: number } }, (OfferedTransfer)[]> = ["GET", "/v1/vault/transfers"];

/** List the projects that you may see. */
export const listProjects: Operation<{ query?: { page?: number; perPage?: number; sort?: string; role?: "owner" | "editor" | "viewer" | "auditor" } }, (Project)[]> = ["GET", "/v1/vault/projects"];

/** List the projects whose consents you may read. */
export const listClientProjects: Operation<{ query?: { page?: number; perPage?: number } }, (ClientProject)[]> = ["GET", "/v1/client/"];

/** List the proofs of a token. */
export const listProofs: Operation<{ query: { limit?: number; cursor?: string; projectId: string; token: string } }, { items: ({ consentId: string; createdAt: string; /** The leaf index in the log; null until the consent is in the log. */ leaf: number | null; links: { [name: string]: string } })[]; /** Address of the audit package with all of them. Not a link to follow automatically. */ dossier: string; links: { [name: string]: string } }> = ["GET", "/v1/app/proofs"];

/** List the providers to sign in with. */
export const listProviders: Operation<undefined, ({ name: string; title: string; /** Only accounts of one organization can sign in, such as with its own issuer. */ ofOrganization: boolean; links: { signin: string } })[]> = ["GET", "/v1/auth/providers"];

/** List the publications of a template's sites, newest first. */
export const listTemplatePublications: Operation<{ path: { templateId: string }; query?: { page?: number; perPage?: number; sort?: string } }, (TemplatePublication)[]> = ["GET", "/v1/publish/templates/{templateId}/publications"];

/** List the review links of a project, newest first. */
export const listReviewLinks: Operation<{ path: { projectId: string }; query?: { limit?: number; cursor?: string } }, { items: (ReviewLink)[]; links: { self: string; next?: string } }> = ["GET", "/v1/reviews/{projectId}/links"];

/** List the scans of a project's website, newest first. */
export const listScans: Operation<{ path: { projectId: string }; query?: { page?: number; perPage?: number; sort?: string } }, (Scan)[]> = ["GET", "/v1/publish/projects/{projectId}/scans"];

/** List the signed-in user's sessions and API keys, newest first. */
export const listAccessTokens: Operation<{ query?: { page?: number; perPage?: number } }, (AccessToken)[]> = ["GET", "/v1/auth/tokens"];

/** List the sites of a publication with their outcomes. */
export const listTemplatePublicationSites: Operation<{ path: { templateId: string; publicationId: string }; query?: { page?: number; perPage?: number; sort?: string; status?: "Pending" | "Publishing" | "Published" | "Unchanged" | "Failed" | "Skipped" | "Cancelled" } }, (TemplatePublicationSite)[]> = ["GET", "/v1/publish/templates/{templateId}/publications/{publicationId}/sites"];

/** List the sites of a template. */
export const listTemplateSites: Operation<{ path: { templateId: string }; query?: { page?: number; perPage?: number; sort?: string } }, (TemplateSite)[]> = ["GET", "/v1/publish/templates/{templateId}/sites"];

/** List the threads of comments on a draft, newest first. */
export const listComments: Operation<{ path: { projectId: string }; query?: { limit?: number; cursor?: string; status?: "open" | "resolved"; configurationId?: string } }, { items: (Thread)[]; links: { self: string; next?: string } }> = ["GET", "/v1/reviews/{projectId}/comments"];

/** List the time-stamps of checkpoints, newest first. */
export const listTimestamps: Operation<{ query?: { limit?: number; cursor?: string } }, { items: ({ /** Size of the time-stamped tree. */ size: number; /** By the authority's clock. */ time: string; links: { /** The authority's response (RFC 3161, DER). */ timestamp: string; /** The time-stamped checkpoint, byte for byte. */ checkpoint: string } })[]; links: { self: string; next?: string } }> = ["GET", "/log/timestamps"];

/** List the tokens of a project. */
export const listTokens: Operation<{ path: { id: string }; query?: { limit?: number; cursor?: string; q?: string; dialect?: "rfc4180" | "plain" } }, { items: (Token)[]; links: { self: string; next?: string } }> = ["GET", "/v1/client/{id}/tokens"];

/** List the tokens that accept an item. */
export const listAccepted: Operation<{ path: { id: string; identifier: string }; query?: { limit?: number; cursor?: string; at?: Instant; dialect?: "rfc4180" | "plain"; since?: string } }, AcceptedTokens> = ["GET", "/v1/client/{id}/tokens/accepted/{identifier}"];

/** List the tokens that partly accept an item, refuse it or have withdrawn it, or whose answer has expired. */
export const listByStatus: Operation<{ path: { id: string; status: "partly" | "refused" | "withdrawn" | "expired"; identifier: string }; query?: { limit?: number; cursor?: string; dialect?: "rfc4180" | "plain" } }, { items: (TokenByStatus)[]; links: { self: string; next?: string } }> = ["GET", "/v1/client/{id}/tokens/{status}/{identifier}"];

/** List the users of a TCF setting. */
export const listTcfSettingUsers: Operation<{ path: { documentId: string } }, ({ _id: string; id: string; userId: string; /** Null if the user has none, and while the name is null. */ email: string | null; /** Also false while the name is null. */ emailConfirmed: boolean; /** Null for a user who was added by `userId`, has not opened the document since, and shares no other one with you. */ displayName: string | null; roles: ("owner" | "editor" | "viewer" | "auditor")[]; addedAt: string; /** The project or organization that all of the roles come from. */ inheritedFrom?: string })[]> = ["GET", "/v1/vault/tcf/{documentId}/users"];

/** List the users of a contract text. */
export const listContractTextUsers: Operation<{ path: { documentId: string } }, ({ _id: string; id: string; userId: string; /** Null if the user has none, and while the name is null. */ email: string | null; /** Also false while the name is null. */ emailConfirmed: boolean; /** Null for a user who was added by `userId`, has not opened the document since, and shares no other one with you. */ displayName: string | null; roles: ("owner" | "editor" | "viewer" | "auditor")[]; addedAt: string; /** The project or organization that all of the roles come from. */ inheritedFrom?: string })[]> = ["GET", "/v1/content/contracts/{documentId}/users"];

/** List the users of a contract. */
export const listContractUsers: Operation<{ path: { documentId: string } }, ({ _id: string; id: string; userId: string; /** Null if the user has none, and while the name is null. */ email: string | null; /** Also false while the name is null. */ emailConfirmed: boolean; /** Null for a user who was added by `userId`, has not opened the document since, and shares no other one with you. */ displayName: string | null; roles: ("owner" | "editor" | "viewer" | "auditor")[]; addedAt: string; /** The project or organization that all of the roles come from. */ inheritedFrom?: string })[]> = ["GET", "/v1/vault/contracts/{documentId}/users"];

/** List the users of a cookie configuration. */
export const listCookieConfigurationUsers: Operation<{ path: { documentId: string } }, ({ _id: string; id: string; userId: string; /** Null if the user has none, and while the name is null. */ email: string | null; /** Also false while the name is null. */ emailConfirmed: boolean; /** Null for a user who was added by `userId`, has not opened the document since, and shares no other one with you. */ displayName: string | null; roles: ("owner" | "editor" | "viewer" | "auditor")[]; addedAt: string; /** The project or organization that all of the roles come from. */ inheritedFrom?: string })[]> = ["GET", "/v1/vault/cookies/{documentId}/users"];

/** List the users of a data protection officer. */
export const listDataProtectionOfficerUsers: Operation<{ path: { documentId: string } }, ({ _id: string; id: string; userId: string; /** Null if the user has none, and while the name is null. */ email: string | null; /** Also false while the name is null. */ emailConfirmed: boolean; /** Null for a user who was added by `userId`, has not opened the document since, and shares no other one with you. */ displayName: string | null; roles: ("owner" | "editor" | "viewer" | "auditor")[]; addedAt: string; /** The project or organization that all of the roles come from. */ inheritedFrom?: string })[]> = ["GET", "/v1/vault/dpo/{documentId}/users"];

/** List the users of a media item. */
export const listMediaItemUsers: Operation<{ path: { documentId: string } }, ({ _id: string; id: string; userId: string; /** Null if the user has none, and while the name is null. */ email: string | null; /** Also false while the name is null. */ emailConfirmed: boolean; /** Null for a user who was added by `userId`, has not opened the document since, and shares no other one with you. */ displayName: string | null; roles: ("owner" | "editor" | "viewer" | "auditor")[]; addedAt: string; /** The project or organization that all of the roles come from. */ inheritedFrom?: string })[]> = ["GET", "/v1/vault/media/{documentId}/users"];

/** List the users of a processing. */
export const listProcessingUsers: Operation<{ path: { documentId: string } }, ({ _id: string; id: string; userId: string; /** Null if the user has none, and while the name is null. */ email: string | null; /** Also false while the name is null. */ emailConfirmed: boolean; /** Null for a user who was added by `userId`, has not opened the document since, and shares no other one with you. */ displayName: string | null; roles: ("owner" | "editor" | "viewer" | "auditor")[]; addedAt: string; /** The project or organization that all of the roles come from. */ inheritedFrom?: string })[]> = ["GET", "/v1/vault/processings/{documentId}/users"];

/** List the users of a project. */
export const listProjectUsers: Operation<{ path: { documentId: string } }, ({ _id: string; id: string; userId: string; /** Null if the user has none, and while the name is null. */ email: string | null; /** Also false while the name is null. */ emailConfirmed: boolean; /** Null for a user who was added by `userId`, has not opened the document since, and shares no other one with you. */ displayName: string | null; roles: ("owner" | "editor" | "viewer" | "auditor")[]; addedAt: string; /** The project or organization that all of the roles come from. */ inheritedFrom?: string })[]> = ["GET", "/v1/vault/projects/{documentId}/users"];

/** List the users of a vendor. */
export const listVaultVendorUsers: Operation<{ path: { documentId: string } }, ({ _id: string; id: string; userId: string; /** Null if the user has none, and while the name is null. */ email: string | null; /** Also false while the name is null. */ emailConfirmed: boolean; /** Null for a user who was added by `userId`, has not opened the document since, and shares no other one with you. */ displayName: string | null; roles: ("owner" | "editor" | "viewer" | "auditor")[]; addedAt: string; /** The project or organization that all of the roles come from. */ inheritedFrom?: string })[]> = ["GET", "/v1/vault/vendors/{documentId}/users"];

/** List the users of an organization. */
export const listOrganizationUsers: Operation<{ path: { documentId: string } }, ({ _id: string; id: string; userId: string; /** Null if the user has none, and while the name is null. */ email: string | null; /** Also false while the name is null. */ emailConfirmed: boolean; /** Null for a user who was added by `userId`, has not opened the document since, and shares no other one with you. */ displayName: string | null; roles: ("owner" | "editor" | "viewer" | "auditor")[]; addedAt: string; /** The project or organization that all of the roles come from. */ inheritedFrom?: string })[]> = ["GET", "/v1/vault/organizations/{documentId}/users"];

/** List the valid links to persons' pages. */
export const listPersonLinks: Operation<{ path: { id: string }; query?: { limit?: number; cursor?: string; token?: string } }, { items: (PersonLink)[]; links: { self: string; next?: string } }> = ["GET", "/v1/client/{id}/links"];

/** List the vendors of IAB Europe's list by name. */
export const listTcfVendors: Operation<{ query?: { page?: number; perPage?: number } }, (TcfVendor)[]> = ["GET", "/v1/publish/tcf/vendors"];

/** List the vendors that you may see. */
export const listVaultVendors: Operation<{ query?: { page?: number; perPage?: number; sort?: string; role?: "owner" | "editor" | "viewer" | "auditor" } }, (VaultVendor)[]> = ["GET", "/v1/vault/vendors"];

/** List the versions of a TCF setting, newest first. */
export const listTcfSettingVersions: Operation<{ path: { documentId: string }; query?: { page?: number; perPage?: number; sort?: string } }, ({ version: number; /** create, replace, patch, restore or inherit */ operation: string; createdAt: string; createdBy: string; links: { [name: string]: string } })[]> = ["GET", "/v1/vault/tcf/{documentId}/versions"];

/** List the versions of a contract text, newest first. */
export const listContractTextRevisions: Operation<{ path: { documentId: string }; query?: { page?: number; perPage?: number; sort?: string } }, ({ version: number; /** create, replace, patch, restore or inherit */ operation: string; createdAt: string; createdBy: string; links: { [name: string]: string } })[]> = ["GET", "/v1/content/contracts/{documentId}/revisions"];

/** List the versions of a contract text, newest first. */
export const listContractTextVersions: Operation<{ path: { documentId: string }; query?: { page?: number; perPage?: number; sort?: string } }, ({ version: number; /** create, replace, patch, restore or inherit */ operation: string; createdAt: string; createdBy: string; links: { [name: string]: string } })[]> = ["GET", "/v1/content/contracts/{documentId}/versions"];

/** List the versions of a contract, newest first. */
export const listContractVersions: Operation<{ path: { documentId: string }; query?: { page?: number; perPage?: number; sort?: string } }, ({ version: number; /** create, replace, patch, restore or inherit */ operation: string; createdAt: string; createdBy: string; links: { [name: string]: string } })[]> = ["GET", "/v1/vault/contracts/{documentId}/versions"];

/** List the versions of a cookie configuration, newest first. */
export const listCookieConfigurationVersions: Operation<{ path: { documentId: string }; query?: { page?: number; perPage?: number; sort?: string } }, ({ version: number; /** create, replace, patch, restore or inherit */ operation: string; createdAt: string; createdBy: string; links: { [name: string]: string } })[]> = ["GET", "/v1/vault/cookies/{documentId}/versions"];

/** List the versions of a data protection officer, newest first. */
export const listDataProtectionOfficerVersions: Operation<{ path: { documentId: string }; query?: { page?: number; perPage?: number; sort?: string } }, ({ version: number; /** create, replace, patch, restore or inherit */ operation: string; createdAt: string; createdBy: string; links: { [name: string]: string } })[]> = ["GET", "/v1/vault/dpo/{documentId}/versions"];

/** List the versions of a media item, newest first. */
export const listMediaItemVersions: Operation<{ path: { documentId: string }; query?: { page?: number; perPage?: number; sort?: string } }, ({ version: number; /** create, replace, patch, restore or inherit */ operation: string; createdAt: string; createdBy: string; links: { [name: string]: string } })[]> = ["GET", "/v1/vault/media/{documentId}/versions"];

/** List the versions of a processing, newest first. */
export const listProcessingVersions: Operation<{ path: { documentId: string }; query?: { page?: number; perPage?: number; sort?: string } }, ({ version: number; /** create, replace, patch, restore or inherit */ operation: string; createdAt: string; createdBy: string; links: { [name: string]: string } })[]> = ["GET", "/v1/vault/processings/{documentId}/versions"];

/** List the versions of a project, newest first. */
export const listProjectVersions: Operation<{ path: { documentId: string }; query?: { page?: number; perPage?: number; sort?: string } }, ({ version: number; /** create, replace, patch, restore or inherit */ operation: string; createdAt: string; createdBy: string; links: { [name: string]: string } })[]> = ["GET", "/v1/vault/projects/{documentId}/versions"];

/** List the versions of a vendor, newest first. */
export const listVaultVendorVersions: Operation<{ path: { documentId: string }; query?: { page?: number; perPage?: number; sort?: string } }, ({ version: number; /** create, replace, patch, restore or inherit */ operation: string; createdAt: string; createdBy: string; links: { [name: string]: string } })[]> = ["GET", "/v1/vault/vendors/{documentId}/versions"];

/** List the versions of an organization, newest first. */
export const listOrganizationVersions: Operation<{ path: { documentId: string }; query?: { page?: number; perPage?: number; sort?: string } }, ({ version: number; /** create, replace, patch, restore or inherit */ operation: string; createdAt: string; createdBy: string; links: { [name: string]: string } })[]> = ["GET", "/v1/vault/organizations/{documentId}/versions"];

/** List the versions of the widget's code in the log. */
export const listLogWidgets: Operation<undefined, ({ record: { [name: string]: unknown }; /** 32 bytes in base64. */ salt: string; /** The leaf index. */ index: number })[]> = ["GET", "/log/widgets"];

/** List what happened in a project, newest first. */
export const listActivity: Operation<{ query: { limit?: number; cursor?: string; projectId: string; kind?: "content" | "publications" | "scans" | "people" | "data" | "reviews"; person?: string } }, { items: (Activity)[]; links: { self: string; next?: string } }> = ["GET", "/v1/vault/activity"];

/** Look up a host among the domains of organizations. */
export const findDomain: Operation<{ query: { domain: string } }, null> = ["GET", "/v1/domains"];

/** Mail a link that sets a new password; the same answer for every address. */
export const askPasswordReset: Operation<{ body: { /** The address that the link goes to. */ email: string; /** The address of the link, on a configured origin; `token` is added to it. Default: a page of this service. */ resetUrl?: string } }, Success> = ["POST", "/v1/auth/local/reset-password-token"];

/** Mail another link that confirms the signed-in user's address. */
export const askEmailValidation: Operation<{ body?: object }, Success> = ["POST", "/v1/auth/local/validate"];

/** Mail the snippet of a live project to a developer. */
export const mailSnippet: Operation<{ path: { projectId: string }; body: { email: string } }, { queued: true }> = ["POST", "/v1/publish/projects/{projectId}/snippet-mails"];

/** Mark the caller's notifications as read. */
export const markNotificationsRead: Operation<{ body: { /** The notifications to mark as read; all of them if it is absent. */ ids?: (string)[] } }, { /** Number of unread notifications, 99 at most. */ unread: number }> = ["POST", "/v1/notifications/reads"];

/** Offer a project to another organization. */
export const offerProject: Operation<{ path: { documentId: string }; body: TransferIn }, SentTransfer> = ["POST", "/v1/vault/projects/{documentId}/transfer"];

/** Open the page to buy a plan. */
export const openCheckout: Operation<{ body: { organizationId: string; plan: string; /** Default: the service itself. */ successUrl?: string; /** Default: the service itself. */ cancelUrl?: string } }, { /** The address to redirect the user to. */ url: string }> = ["POST", "/v1/billing/checkout"];

/** Open the page to manage a subscription. */
export const openPortal: Operation<{ body: { organizationId: string; /** Default: the service itself. */ returnUrl?: string } }, { /** The address to redirect the user to. */ url: string }> = ["POST", "/v1/billing/portal"];

/** Preview the content that would be published with unsaved drafts. */
export const previewProject: Operation<{ path: { projectId: string }; body: { /** Drafts of the project and its configurations, used instead of the stored documents, and new configurations. */ documents?: ({ id: string; /** All fields of the document, as in a PUT. */ body: { [name: string]: unknown } } | { /** The collection of a document that does not exist yet. */ collection: "cookies" | "processings" | "contracts" | "content" | "dpo" | "tcf"; /** All fields of the document, as in a PUT. */ body: { [name: string]: unknown } })[]; /** Configurations that the content is built without. */ removed?: (string)[] } }, Preview> = ["POST", "/v1/publish/projects/{projectId}/preview"];

/** Prove that a host leads to this service. */
export const proveInstallation: Operation<{ body: ChallengeIn }, ChallengeOut> = ["POST", "/v1/domains/challenge"];

/** Prove that nothing was rewritten between two trees of the log. */
export const getConsistency: Operation<{ path: { projectId: string }; query?: { from?: number; to?: number } }, { origin: string; from: number; to: number; proof: (string)[]; /** The latest checkpoint. */ checkpoint: string }> = ["GET", "/v1/app/proofs/{projectId}/consistency"];

/** Publish a project. */
export const publishProject: Operation<{ path: { id: string }; body?: { environment?: "production" | "staging"; /** Publishes despite errors of the publish check, which the version records. Only for owners. */ force?: boolean; /** Publishes without the approvals that the project requires, which the version records. Only for owners, with a `reason`. */ withoutApproval?: boolean; /** Why the errors are overridden, or approvals are not waited for. The version records it. */ reason?: string; /** Publishes the project at this time, as it is then. At most a year ahead. */ publishAt?: Instant; /** The parts of the project to publish; the others stay at their live version. Without a selection, everything is published. */ services?: ("cookies" | "processings" | "contracts" | "contractsV2" | "tcf" | "dpo" | "project")[]; /** Ids of configurations. Empty counts as left out. */ cookies?: (string)[]; /** Ids of configurations. Empty counts as left out. */ processings?: (string)[]; /** Ids of configurations. Empty counts as left out. */ contracts?: (string)[]; /** Ids of configurations. Empty counts as left out. */ contractsV2?: (string)[]; /** Fails the job where a configuration would be held back because of errors of the publish check. */ strict?: boolean } }, PublishJob> = ["POST", "/v1/publish/jobs/{id}"];

/** Publish an earlier version's content again, as a new version. */
export const rollbackProject: Operation<{ path: { projectId: string; version: number }; query?: { environment?: "production" | "staging" }; body?: { environment?: "production" | "staging"; /** Publishes despite errors of the publish check, which the version records. Only for owners. */ force?: boolean; /** Publishes without the approvals that the project requires, which the version records. Only for owners, with a `reason`. */ withoutApproval?: boolean; /** Why the errors are overridden, or approvals are not waited for. The version records it. */ reason?: string; /** Publishes the project at this time, as it is then. At most a year ahead. */ publishAt?: Instant } }, PublishJob> = ["POST", "/v1/publish/projects/{projectId}/versions/{version}/rollback"];

/** Publish the sites of a template. */
export const publishTemplateSites: Operation<{ path: { templateId: string }; body?: { /** Ids of the sites to publish. Without it, all sites. */ sites?: (string)[] } }, TemplatePublication> = ["POST", "/v1/publish/templates/{templateId}/publications"];

/** Read the public configuration of a site's consent product. */
export const readMoveInFiles: Operation<{ body: { /** an http or https address without a user name: of a page of the site, or of a file */ url: string } }, MoveInFiles> = ["POST", "/v1/move-in/files"];

/** Receive an event of the payment provider. */
export const receivePaymentEvent: Operation<{ body: Blob | FormData | ReadableStream<Uint8Array> }, null> = ["POST", "/v1/billing/webhook"];

/** Receive the callback of a provider, and redirect to redirectURI. */
export const signInCallback: Operation<{ path: { provider: string }; query?: { state?: string; code?: string; error?: string; iss?: string } }, null> = ["GET", "/v1/auth/{provider}/callback"];

/** Redirect to a provider to sign in, or, when signed in, to add it to the account. */
export const signInWith: Operation<{ path: { provider: string }; query: { redirectURI: string; invitationToken?: string } }, null> = ["GET", "/v1/auth/{provider}"];

/** Reject a proposed erasure. */
export const rejectErasure: Operation<{ path: { id: string; proposalId: string } }, null> = ["DELETE", "/v1/client/{id}/erasure-proposals/{proposalId}"];

/** Remove a user's roles on a TCF setting. */
export const removeTcfSettingUser: Operation<{ path: { documentId: string; userId: string } }, ({ _id: string; id: string; userId: string; /** Null if the user has none, and while the name is null. */ email: string | null; /** Also false while the name is null. */ emailConfirmed: boolean; /** Null for a user who was added by `userId`, has not opened the document since, and shares no other one with you. */ displayName: string | null; roles: ("owner" | "editor" | "viewer" | "auditor")[]; addedAt: string; /** The project or organization that all of the roles come from. */ inheritedFrom?: string })[]> = ["DELETE", "/v1/vault/tcf/{documentId}/users/{userId}"];

/** Remove a user's roles on a contract text. */
export const removeContractTextUser: Operation<{ path: { documentId: string; userId: string } }, ({ _id: string; id: string; userId: string; /** Null if the user has none, and while the name is null. */ email: string | null; /** Also false while the name is null. */ emailConfirmed: boolean; /** Null for a user who was added by `userId`, has not opened the document since, and shares no other one with you. */ displayName: string | null; roles: ("owner" | "editor" | "viewer" | "auditor")[]; addedAt: string; /** The project or organization that all of the roles come from. */ inheritedFrom?: string })[]> = ["DELETE", "/v1/content/contracts/{documentId}/users/{userId}"];

/** Remove a user's roles on a contract. */
export const removeContractUser: Operation<{ path: { documentId: string; userId: string } }, ({ _id: string; id: string; userId: string; /** Null if the user has none, and while the name is null. */ email: string | null; /** Also false while the name is null. */ emailConfirmed: boolean; /** Null for a user who was added by `userId`, has not opened the document since, and shares no other one with you. */ displayName: string | null; roles: ("owner" | "editor" | "viewer" | "auditor")[]; addedAt: string; /** The project or organization that all of the roles come from. */ inheritedFrom?: string })[]> = ["DELETE", "/v1/vault/contracts/{documentId}/users/{userId}"];

/** Remove a user's roles on a cookie configuration. */
export const removeCookieConfigurationUser: Operation<{ path: { documentId: string; userId: string } }, ({ _id: string; id: string; userId: string; /** Null if the user has none, and while the name is null. */ email: string | null; /** Also false while the name is null. */ emailConfirmed: boolean; /** Null for a user who was added by `userId`, has not opened the document since, and shares no other one with you. */ displayName: string | null; roles: ("owner" | "editor" | "viewer" | "auditor")[]; addedAt: string; /** The project or organization that all of the roles come from. */ inheritedFrom?: string })[]> = ["DELETE", "/v1/vault/cookies/{documentId}/users/{userId}"];

/** Remove a user's roles on a data protection officer. */
export const removeDataProtectionOfficerUser: Operation<{ path: { documentId: string; userId: string } }, ({ _id: string; id: string; userId: string; /** Null if the user has none, and while the name is null. */ email: string | null; /** Also false while the name is null. */ emailConfirmed: boolean; /** Null for a user who was added by `userId`, has not opened the document since, and shares no other one with you. */ displayName: string | null; roles: ("owner" | "editor" | "viewer" | "auditor")[]; addedAt: string; /** The project or organization that all of the roles come from. */ inheritedFrom?: string })[]> = ["DELETE", "/v1/vault/dpo/{documentId}/users/{userId}"];

/** Remove a user's roles on a media item. */
export const removeMediaItemUser: Operation<{ path: { documentId: string; userId: string } }, ({ _id: string; id: string; userId: string; /** Null if the user has none, and while the name is null. */ email: string | null; /** Also false while the name is null. */ emailConfirmed: boolean; /** Null for a user who was added by `userId`, has not opened the document since, and shares no other one with you. */ displayName: string | null; roles: ("owner" | "editor" | "viewer" | "auditor")[]; addedAt: string; /** The project or organization that all of the roles come from. */ inheritedFrom?: string })[]> = ["DELETE", "/v1/vault/media/{documentId}/users/{userId}"];

/** Remove a user's roles on a processing. */
export const removeProcessingUser: Operation<{ path: { documentId: string; userId: string } }, ({ _id: string; id: string; userId: string; /** Null if the user has none, and while the name is null. */ email: string | null; /** Also false while the name is null. */ emailConfirmed: boolean; /** Null for a user who was added by `userId`, has not opened the document since, and shares no other one with you. */ displayName: string | null; roles: ("owner" | "editor" | "viewer" | "auditor")[]; addedAt: string; /** The project or organization that all of the roles come from. */ inheritedFrom?: string })[]> = ["DELETE", "/v1/vault/processings/{documentId}/users/{userId}"];

/** Remove a user's roles on a project. */
export const removeProjectUser: Operation<{ path: { documentId: string; userId: string } }, ({ _id: string; id: string; userId: string; /** Null if the user has none, and while the name is null. */ email: string | null; /** Also false while the name is null. */ emailConfirmed: boolean; /** Null for a user who was added by `userId`, has not opened the document since, and shares no other one with you. */ displayName: string | null; roles: ("owner" | "editor" | "viewer" | "auditor")[]; addedAt: string; /** The project or organization that all of the roles come from. */ inheritedFrom?: string })[]> = ["DELETE", "/v1/vault/projects/{documentId}/users/{userId}"];

/** Remove a user's roles on a vendor. */
export const removeVaultVendorUser: Operation<{ path: { documentId: string; userId: string } }, ({ _id: string; id: string; userId: string; /** Null if the user has none, and while the name is null. */ email: string | null; /** Also false while the name is null. */ emailConfirmed: boolean; /** Null for a user who was added by `userId`, has not opened the document since, and shares no other one with you. */ displayName: string | null; roles: ("owner" | "editor" | "viewer" | "auditor")[]; addedAt: string; /** The project or organization that all of the roles come from. */ inheritedFrom?: string })[]> = ["DELETE", "/v1/vault/vendors/{documentId}/users/{userId}"];

/** Remove a user's roles on an organization. */
export const removeOrganizationUser: Operation<{ path: { documentId: string; userId: string } }, ({ _id: string; id: string; userId: string; /** Null if the user has none, and while the name is null. */ email: string | null; /** Also false while the name is null. */ emailConfirmed: boolean; /** Null for a user who was added by `userId`, has not opened the document since, and shares no other one with you. */ displayName: string | null; roles: ("owner" | "editor" | "viewer" | "auditor")[]; addedAt: string; /** The project or organization that all of the roles come from. */ inheritedFrom?: string })[]> = ["DELETE", "/v1/vault/organizations/{documentId}/users/{userId}"];

/** Remove a user's second factor, with its recovery codes. */
export const deleteFactorOfUser: Operation<{ path: { userId: string } }, null> = ["DELETE", "/v1/auth/users/{userId}/factor"];

/** Remove an operator of the installation, except the last. */
export const removeOperator: Operation<{ path: { userId: string } }, null> = ["DELETE", "/v1/auth/operators/{userId}"];

/** Remove one of the signed-in user's sign-in methods, except the last. */
export const deleteIdentity: Operation<{ path: { id: string } }, null> = ["DELETE", "/v1/auth/identities/{id}"];

/** Remove the domain of an organization. */
export const removeDomain: Operation<{ path: { documentId: string } }, null> = ["DELETE", "/v1/vault/organizations/{documentId}/domain"];

/** Remove the second factor, with its recovery codes. */
export const deleteFactor: Operation<undefined, null> = ["DELETE", "/v1/auth/factor"];

/** Replace a TCF setting. */
export const replaceTcfSetting: Operation<{ path: { documentId: string }; body: TcfSettingIn }, TcfSetting> = ["PUT", "/v1/vault/tcf/{documentId}"];

/** Replace a contract text. */
export const replaceContractText: Operation<{ path: { documentId: string }; body: ContractTextIn }, ContractText> = ["PUT", "/v1/content/contracts/{documentId}"];

/** Replace a contract. */
export const replaceContract: Operation<{ path: { documentId: string }; body: ContractIn }, Contract> = ["PUT", "/v1/vault/contracts/{documentId}"];

/** Replace a cookie configuration. */
export const replaceCookieConfiguration: Operation<{ path: { documentId: string }; body: CookieConfigurationIn }, CookieConfiguration> = ["PUT", "/v1/vault/cookies/{documentId}"];

/** Replace a data protection officer. */
export const replaceDataProtectionOfficer: Operation<{ path: { documentId: string }; body: DataProtectionOfficerIn }, DataProtectionOfficer> = ["PUT", "/v1/vault/dpo/{documentId}"];

/** Replace a media item. */
export const replaceMediaItem: Operation<{ path: { documentId: string }; body: MediaItemIn }, MediaItem> = ["PUT", "/v1/vault/media/{documentId}"];

/** Replace a processing. */
export const replaceProcessing: Operation<{ path: { documentId: string }; body: ProcessingIn }, Processing> = ["PUT", "/v1/vault/processings/{documentId}"];

/** Replace a project. */
export const replaceClientProject: Operation<{ path: { id: string }; body: { name: string; /** an http or https address */ website: string; /** Further fields of the project in the vault. */ configuration?: { [name: string]: unknown }; /** The processor of the data; null for none. */ dataProcessor?: { [name: string]: unknown } | string | null; documents?: ({ identifier?: string } & { [name: string]: unknown })[]; processingActivities?: ({ identifier?: string } & { [name: string]: unknown })[] } }, ClientProject> = ["PUT", "/v1/client/{id}"];

/** Replace a project. */
export const replaceProject: Operation<{ path: { documentId: string }; body: ProjectIn }, Project> = ["PUT", "/v1/vault/projects/{documentId}"];

/** Replace a vendor. */
export const replaceVaultVendor: Operation<{ path: { documentId: string }; body: VaultVendorIn }, VaultVendor> = ["PUT", "/v1/vault/vendors/{documentId}"];

/** Replace an organization. */
export const replaceOrganization: Operation<{ path: { documentId: string }; body: OrganizationIn }, Organization> = ["PUT", "/v1/vault/organizations/{documentId}"];

/** Replace the caller's choices about notifications and mails. */
export const setNotificationSettings: Operation<{ body: NotificationChoices }, NotificationSettings> = ["PUT", "/v1/notifications/settings"];

/** Replay events to a webhook from an instant or a cursor. */
export const replayWebhook: Operation<{ path: { id: string }; body: { /** An `Instant`, or a cursor of the list of events. */ since: string } }, Webhook> = ["POST", "/v1/webhooks/{id}/replay"];

/** Reply to a thread. */
export const replyToComment: Operation<{ path: { projectId: string; commentId: string }; body: { /** Plain text; line breaks are kept. */ text: string } }, Comment> = ["POST", "/v1/reviews/{projectId}/comments/{commentId}/replies"];

/** Report what publishing the sites of a template would change. */
export const reportTemplateSites: Operation<{ path: { templateId: string }; query?: { page?: number; perPage?: number } }, (TemplateSiteReport)[]> = ["GET", "/v1/publish/templates/{templateId}/report"];

/** Request a display ticket. */
export const issueTicket: Operation<{ path: { projectId: string }; query?: { identifier?: string; step?: string }; body?: object }, { /** A single-use ticket, to be sent with the answer to this display. */ ticket: string; expiresAt: string; /** The published version that is displayed. */ version: number }> = ["POST", "/v1/app/tickets/{projectId}"];

/** Restore a version of a TCF setting as a new one. */
export const restoreTcfSettingVersion: Operation<{ path: { documentId: string; version: number }; body?: object }, TcfSetting> = ["POST", "/v1/vault/tcf/{documentId}/versions/{version}/restore"];

/** Restore a version of a contract as a new one. */
export const restoreContractVersion: Operation<{ path: { documentId: string; version: number }; body?: object }, Contract> = ["POST", "/v1/vault/contracts/{documentId}/versions/{version}/restore"];

/** Restore a version of a contract text as a new one. */
export const restoreContractTextVersion: Operation<{ path: { documentId: string; version: number }; body?: object }, ContractText> = ["POST", "/v1/content/contracts/{documentId}/versions/{version}/restore"];

/** Restore a version of a cookie configuration as a new one. */
export const restoreCookieConfigurationVersion: Operation<{ path: { documentId: string; version: number }; body?: object }, CookieConfiguration> = ["POST", "/v1/vault/cookies/{documentId}/versions/{version}/restore"];

/** Restore a version of a data protection officer as a new one. */
export const restoreDataProtectionOfficerVersion: Operation<{ path: { documentId: string; version: number }; body?: object }, DataProtectionOfficer> = ["POST", "/v1/vault/dpo/{documentId}/versions/{version}/restore"];

/** Restore a version of a media item as a new one. */
export const restoreMediaItemVersion: Operation<{ path: { documentId: string; version: number }; body?: object }, MediaItem> = ["POST", "/v1/vault/media/{documentId}/versions/{version}/restore"];

/** Restore a version of a processing as a new one. */
export const restoreProcessingVersion: Operation<{ path: { documentId: string; version: number }; body?: object }, Processing> = ["POST", "/v1/vault/processings/{documentId}/versions/{version}/restore"];

/** Restore a version of a project as a new one. */
export const restoreProjectVersion: Operation<{ path: { documentId: string; version: number }; body?: object }, Project> = ["POST", "/v1/vault/projects/{documentId}/versions/{version}/restore"];

/** Restore a version of a vendor as a new one. */
export const restoreVaultVendorVersion: Operation<{ path: { documentId: string; version: number }; body?: object }, VaultVendor> = ["POST", "/v1/vault/vendors/{documentId}/versions/{version}/restore"];

/** Restore a version of an organization as a new one. */
export const restoreOrganizationVersion: Operation<{ path: { documentId: string; version: number }; body?: object }, Organization> = ["POST", "/v1/vault/organizations/{documentId}/versions/{version}/restore"];

/** Retry a delivery now. */
export const retryWebhookDelivery: Operation<{ path: { id: string; deliveryId: string }; body?: object }, WebhookDelivery> = ["POST", "/v1/webhooks/{id}/deliveries/{deliveryId}/retry"];

/** Revoke a link to a person's page. */
export const revokePersonLink: Operation<{ path: { id: string; linkId: string } }, null> = ["DELETE", "/v1/client/{id}/links/{linkId}"];

/** Revoke a review link. */
export const revokeReviewLink: Operation<{ path: { projectId: string; linkId: string } }, null> = ["DELETE", "/v1/reviews/{projectId}/links/{linkId}"];

/** Revoke all of a user's sessions, API keys or both. */
export const deleteTokensOfUser: Operation<{ path: { userId: string }; query?: { kind?: "session" | "key" } }, null> = ["DELETE", "/v1/auth/users/{userId}/tokens"];

/** Revoke all of the signed-in user's sessions, API keys or both. */
export const deleteAccessTokens: Operation<{ query?: { kind?: "session" | "key"; except?: "current" } }, null> = ["DELETE", "/v1/auth/tokens"];

/** Revoke one of the signed-in user's sessions or API keys. */
export const deleteAccessToken: Operation<{ path: { id: string } }, null> = ["DELETE", "/v1/auth/tokens/{id}"];

/** Revoke the pending offer of a project. */
export const revokeProjectOffer: Operation<{ path: { documentId: string } }, null> = ["DELETE", "/v1/vault/projects/{documentId}/transfer"];

/** Rotate a webhook's Ed25519 key. */
export const rotateWebhookKey: Operation<{ path: { id: string }; body?: { /** Hours for which deliveries are signed with the previous secret or key as well; 24 by default. 0: only with the new one. */ overlapHours?: number } }, Webhook> = ["POST", "/v1/webhooks/{id}/key"];

/** Rotate a webhook's secret. */
export const rotateWebhookSecret: Operation<{ path: { id: string }; body?: { /** Hours for which deliveries are signed with the previous secret or key as well; 24 by default. 0: only with the new one. */ overlapHours?: number } }, WebhookWithSecret> = ["POST", "/v1/webhooks/{id}/secret"];

/** Scan a project's website. */
export const startScan: Operation<{ path: { projectId: string }; body?: { /** Maximum number of pages. Default: of the project's settings, else 10. */ pages?: number } }, Scan> = ["POST", "/v1/publish/projects/{projectId}/scans"];

/** Send a webhook the event webhook.test. */
export const testWebhook: Operation<{ path: { id: string }; body?: object }, WebhookDelivery> = ["POST", "/v1/webhooks/{id}/test"];

/** Set a new password with a token that was mailed, and sign the browser in. */
export const startSessionByReset: Operation<{ body: { token: string; /** Any characters, without a complexity rule; used exactly as sent. */ password: string; /** Required with a second factor: the current code of the authenticator app, or a recovery code. */ code?: string } }, CookieSession> = ["POST", "/v1/auth/session/reset"];

/** Set a new password with a token that was mailed; older tokens are revoked. */
export const resetPassword: Operation<{ body: { token: string; /** Any characters, without a complexity rule; used exactly as sent. */ password: string; /** Required with a second factor: the current code of the authenticator app, or a recovery code. */ code?: string } }, Session> = ["POST", "/v1/auth/local/reset-password"];

/** Set an organization's subscription. */
export const setSubscription: Operation<{ path: { organizationId: string }; body: { plan: string; /** Default: active. */ status?: "active" | "trialing" | "past_due" | "canceled" | "unpaid"; /** The end of the paid period; null or omitted: no end. */ currentPeriodEnd?: Instant | null } }, OrganizationBilling> = ["PUT", "/v1/billing/organizations/{organizationId}"];

/** Set and check the domain of an organization. */
export const setDomain: Operation<{ path: { documentId: string }; body: DomainIn }, DomainOut> = ["PUT", "/v1/vault/organizations/{documentId}/domain"];

/** Set the approvals that a publication requires. */
export const setReviewSettings: Operation<{ path: { projectId: string }; body: { /** Number of approvals that a publication to production requires. */ required: number; /** `owners`: only owners approve. `editors`: owners and editors. */ approvers: "owners" | "editors"; /** Whether approvals by review links count, if the link allows them. */ links: boolean } }, ReviewSettings> = ["PUT", "/v1/reviews/{projectId}/settings"];

/** Set who can sign up. */
export const setSignups: Operation<{ body: { /** `open`: everyone; `invitation`: people with an invitation; `closed`: nobody. Existing accounts are not affected. */ mode: "open" | "invitation" | "closed" } }, Signups> = ["PUT", "/v1/auth/signups"];

/** Sign a browser in with a password. */
export const startSession: Operation<{ body: { /** The username or the e-mail address, in any case. */ username: string; /** Any characters, without a complexity rule; used exactly as sent. */ password: string; /** Required with a second factor: the current code of the authenticator app, or a recovery code. */ code?: string } }, CookieSession> = ["POST", "/v1/auth/session"];

/** Sign a browser in with the one-time code of a provider sign-in. */
export const startSessionByCode: Operation<{ body: { /** The one-time code of the sign-in. */ code: string; /** Required with a second factor: the current code of the authenticator app, or a recovery code. */ factorCode?: string } }, CookieSession> = ["POST", "/v1/auth/session/exchange"];

/** Sign a browser out: revoke its token and delete its cookie. */
export const endSession: Operation<undefined, null> = ["DELETE", "/v1/auth/session"];

/** Sign in with a password. */
export const signin: Operation<{ body: { /** The username or the e-mail address, in any case. */ username: string; /** Any characters, without a complexity rule; used exactly as sent. */ password: string; /** Required with a second factor: the current code of the authenticator app, or a recovery code. */ code?: string } }, Session> = ["POST", "/v1/auth/local/signin"];

/** Sign out: revoke the token of this request. */
export const logout: Operation<{ body?: object }, Logout> = ["POST", "/v1/auth/logout"];

/** Sign out: revoke the token of this request. */
export const logoutByGet: Operation<undefined, Logout> = ["GET", "/v1/auth/logout"];

/** Start a second factor: get the secret for an authenticator app. */
export const beginFactor: Operation<{ body?: object }, SecondFactorBegun> = ["POST", "/v1/auth/factor"];

/** Unpublish a project. */
export const unpublishProject: Operation<{ path: { projectId: string } }, null> = ["DELETE", "/v1/publish/projects/{projectId}"];

/** Unpublish a project: the same as DELETE. */
export const unpublishProjectByPost: Operation<{ path: { projectId: string }; body?: object }, null> = ["POST", "/v1/publish/projects/{projectId}:unpublish"];

/** Upload files. */
export const uploadAssets: Operation<{ body: Blob | FormData | ReadableStream<Uint8Array> }, (UploadedAsset)[]> = ["POST", "/v1/assets"];

/** Withdraw an approval, or a request for changes. */
export const withdrawDecision: Operation<{ path: { projectId: string; decisionId: string } }, null> = ["DELETE", "/v1/reviews/{projectId}/decisions/{decisionId}"];

/** Withdraw an invitation, by its token or its id. */
export const withdrawInvitation: Operation<{ path: { token: string } }, null> = ["DELETE", "/v1/auth/invitations/{token}"];
