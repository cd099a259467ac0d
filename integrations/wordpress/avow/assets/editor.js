// The blocks in the editor. WordPress has titles, icons and attributes from each block.json.
(function (wp) {
  "use strict";

  const { createElement, Fragment } = wp.element;
  const { __, sprintf } = wp.i18n;
  const { InspectorControls, useBlockProps } = wp.blockEditor;
  const { PanelBody, Placeholder, SelectControl, TextControl, Notice, ExternalLink } =
    wp.components;
  /** The vendors and forms of the published file. */
  const { vendors, forms, settingsUrl } = window.avowEditor;

  function register(name, edit) {
    // The server renders the block; the post has only its attributes.
    wp.blocks.registerBlockType(name, { edit, save: () => null });
  }

  /** A hint while there is nothing to choose from. */
  function createEmptyState(text) {
    return createElement(
      Fragment,
      null,
      createElement("p", null, text),
      settingsUrl &&
        createElement(ExternalLink, { href: settingsUrl }, __("Open the settings of Avow", "avow")),
    );
  }

  function createFormEdit({ kind, icon, label, empty, note }) {
    return ({ attributes, setAttributes }) => {
      const known = forms.filter((form) => form.kind === kind);
      const options = known.map(({ name, title }) => ({ value: name, label: title || name }));
      if (attributes.form && !known.some(({ name }) => name === attributes.form))
        options.push({ value: attributes.form, label: attributes.form });
      return createElement(
        "div",
        useBlockProps(),
        createElement(
          Placeholder,
          { icon, label, instructions: note },
          options.length === 0
            ? createEmptyState(empty)
            : createElement(SelectControl, {
                label: __("Form", "avow"),
                value: attributes.form,
                options: [{ value: "", label: __("Choose a form", "avow") }, ...options],
                onChange: (form) => setAttributes({ form }),
              }),
        ),
      );
    };
  }

  register(
    "avow/consent-form",
    createFormEdit({
      kind: "processing",
      icon: "yes-alt",
      label: __("Consent form", "avow"),
      note: __("Visitors see the form here. They answer with its buttons.", "avow"),
      empty: __(
        "No consent form is published. Create a processing in Avow and publish it.",
        "avow",
      ),
    }),
  );
  register(
    "avow/contract-form",
    createFormEdit({
      kind: "contract",
      icon: "media-document",
      label: __("Contract form", "avow"),
      note: __("Visitors see a checkbox here. Place it inside a form.", "avow"),
      empty: __("No contract form is published. Create a contract in Avow and publish it.", "avow"),
    }),
  );

  /** Whether an address begins with one of the vendor's hosts, as the server checks it. */
  function isAddressOf(address, { hosts }) {
    let url;
    try {
      url = new URL(address);
    } catch {
      return false;
    }
    return (
      url.protocol === "https:" &&
      isLiteral(address) &&
      hosts.some((pattern) => {
        const [, any, name, port, path] =
          /^(\*\.)?([^:/*]+)(?::(\d+))?(\/.*)?$/.exec(pattern) ?? [];
        if (!name) return false;
        const isHost = url.hostname === name || (any && url.hostname.endsWith(`.${name}`));
        return (
          isHost && (!port || (url.port || "443") === port) && url.pathname.startsWith(path ?? "")
        );
      })
    );
  }

  /** Whether browsers load the path as it is written. The server's `avow_is_literal` has the reasons. */
  function isLiteral(address) {
    const [path] = address.split(/[?#]/);
    return (
      !address.includes("&#") &&
      !/\/(\.|%(25)*2e){1,2}(\/|$)|\\|%(25)*(2f|5c)/i.test(path.replace("//", ""))
    );
  }

  function toProblem({ url, vendor: name }) {
    const vendor = vendors.find((one) => one.name === name);
    if (!url || !vendor || isAddressOf(url, vendor)) return undefined;
    return vendor.hosts.length === 0
      ? sprintf(
          /* translators: %s: name of a service, such as YouTube */
          __(
            "%s has no hosts. Add them in Avow and publish, otherwise nothing is shown here.",
            "avow",
          ),
          vendor.title || name,
        )
      : sprintf(
          /* translators: 1: name of a service. 2: list of hosts */
          __("This is not an address of %1$s. Use https and one of: %2$s", "avow"),
          vendor.title || name,
          vendor.hosts.join(", "),
        );
  }

  register("avow/embed", ({ attributes, setAttributes }) => {
    const problem = toProblem(attributes);
    const options = vendors.map(({ name, title }) => ({ value: name, label: title || name }));
    const text = (name, label, help) =>
      createElement(TextControl, {
        label,
        help,
        value: attributes[name],
        onChange: (value) => setAttributes({ [name]: value }),
      });
    return createElement(
      "div",
      useBlockProps(),
      createElement(
        InspectorControls,
        null,
        createElement(
          PanelBody,
          { title: __("Placeholder", "avow") },
          text(
            "preview",
            __("Address of a picture", "avow"),
            __("A picture of this site.", "avow"),
          ),
          createElement(SelectControl, {
            label: __("Aspect ratio", "avow"),
            value: attributes.ratio,
            options: ["16/9", "4/3", "1/1", "9/16"].map((value) => ({ value, label: value })),
            onChange: (ratio) => setAttributes({ ratio }),
          }),
        ),
      ),
      createElement(
        Placeholder,
        {
          icon: "lock",
          label: __("Held embed", "avow"),
          instructions: __("Visitors see a placeholder until they accept the service.", "avow"),
          isColumnLayout: true,
        },
        vendors.length === 0
          ? createEmptyState(
              __("No vendor is known yet. Connect the site to Avow and publish.", "avow"),
            )
          : createElement(
              Fragment,
              null,
              createElement(SelectControl, {
                label: __("Service", "avow"),
                value: attributes.vendor,
                options: [{ value: "", label: __("Choose a service", "avow") }, ...options],
                onChange: (vendor) => setAttributes({ vendor }),
              }),
              text(
                "url",
                __("Address of the frame", "avow"),
                __(
                  "The src of the embed code, such as https://www.youtube-nocookie.com/embed/…",
                  "avow",
                ),
              ),
              text("title", __("Title", "avow"), __("Screen readers announce it.", "avow")),
              problem &&
                createElement(Notice, { status: "warning", isDismissible: false }, problem),
            ),
      ),
    );
  });

  register("avow/settings-link", ({ attributes, setAttributes }) =>
    createElement(
      "p",
      useBlockProps(),
      createElement(wp.blockEditor.RichText, {
        tagName: "span",
        className: "avow-settings-link",
        value: attributes.label,
        allowedFormats: [],
        placeholder: __("Cookie settings", "avow"),
        onChange: (label) => setAttributes({ label }),
      }),
    ),
  );
})(window.wp);
