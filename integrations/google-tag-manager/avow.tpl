___TERMS_OF_SERVICE___

By creating or modifying this file you agree to Google Tag Manager's Community
Template Gallery Developer Terms of Service available at
https://developers.google.com/tag-manager/gallery-tos (or such other URL as
Google may provide), as modified from time to time.


___INFO___

{
  "type": "TAG",
  "id": "cvt_temp_public_id",
  "version": 1,
  "securityGroups": [],
  "displayName": "Avow consent",
  "categories": [
    "TAG_MANAGEMENT",
    "ADVERTISING",
    "ANALYTICS"
  ],
  "brand": {
    "id": "brand_dummy",
    "displayName": "Avow"
  },
  "description": "Consent Mode v2 with the self-hosted consent management service Avow: defaults by region, the banner, and an update with each answer.",
  "containerContexts": [
    "WEB"
  ]
}


___TEMPLATE_PARAMETERS___

[
  {
    "type": "TEXT",
    "name": "service",
    "displayName": "Address of the Avow service",
    "simpleValueType": true,
    "valueHint": "https://consent.example",
    "alwaysInSummary": true,
    "valueValidators": [
      {
        "type": "NON_EMPTY"
      },
      {
        "type": "REGEX",
        "args": [
          "^https://[^\\s?#]*[^\\s?#/]$"
        ],
        "errorMessage": "An address that begins with https:// and does not end with a slash."
      }
    ]
  },
  {
    "type": "TEXT",
    "name": "project",
    "displayName": "Project",
    "simpleValueType": true,
    "alwaysInSummary": true,
    "help": "The identifier in the snippet (data-project).",
    "valueValidators": [
      {
        "type": "NON_EMPTY"
      }
    ]
  },
  {
    "type": "GROUP",
    "name": "consentMode",
    "displayName": "Consent Mode before an answer",
    "groupStyle": "ZIPPY_OPEN",
    "subParams": [
      {
        "type": "PARAM_TABLE",
        "name": "defaults",
        "displayName": "Defaults by region",
        "newRowButtonText": "Add regions",
        "editRowTitle": "Regions",
        "newRowTitle": "Regions",
        "help": "Without a row, advertising and analytics signals are denied everywhere. A row without regions applies to all regions that no other row lists.",
        "paramTableColumns": [
          {
            "param": {
              "type": "TEXT",
              "name": "region",
              "displayName": "Regions",
              "simpleValueType": true,
              "valueHint": "US, CA-QC",
              "help": "ISO 3166-1 or 3166-2 codes, separated by commas. Empty: all other regions.",
              "valueValidators": [
                {
                  "type": "REGEX",
                  "args": [
                    "^\\s*([A-Z]{2}(-[A-Z0-9]{1,3})?(\\s*,\\s*[A-Z]{2}(-[A-Z0-9]{1,3})?)*)?\\s*$"
                  ],
                  "errorMessage": "Codes such as FR or US-CA, separated by commas."
                }
              ]
            },
            "isUnique": true
          },
          {
            "param": {
              "type": "SELECT",
              "name": "ad_storage",
              "displayName": "ad_storage",
              "macrosInSelect": false,
              "selectItems": [
                {
                  "value": "denied",
                  "displayValue": "denied"
                },
                {
                  "value": "granted",
                  "displayValue": "granted"
                }
              ],
              "simpleValueType": true,
              "defaultValue": "denied"
            },
            "isUnique": false
          },
          {
            "param": {
              "type": "SELECT",
              "name": "ad_user_data",
              "displayName": "ad_user_data",
              "macrosInSelect": false,
              "selectItems": [
                {
                  "value": "denied",
                  "displayValue": "denied"
                },
                {
                  "value": "granted",
                  "displayValue": "granted"
                }
              ],
              "simpleValueType": true,
              "defaultValue": "denied"
            },
            "isUnique": false
          },
          {
            "param": {
              "type": "SELECT",
              "name": "ad_personalization",
              "displayName": "ad_personalization",
              "macrosInSelect": false,
              "selectItems": [
                {
                  "value": "denied",
                  "displayValue": "denied"
                },
                {
                  "value": "granted",
                  "displayValue": "granted"
                }
              ],
              "simpleValueType": true,
              "defaultValue": "denied"
            },
            "isUnique": false
          },
          {
            "param": {
              "type": "SELECT",
              "name": "analytics_storage",
              "displayName": "analytics_storage",
              "macrosInSelect": false,
              "selectItems": [
                {
                  "value": "denied",
                  "displayValue": "denied"
                },
                {
                  "value": "granted",
                  "displayValue": "granted"
                }
              ],
              "simpleValueType": true,
              "defaultValue": "denied"
            },
            "isUnique": false
          },
          {
            "param": {
              "type": "SELECT",
              "name": "functionality_storage",
              "displayName": "functionality_storage",
              "macrosInSelect": false,
              "selectItems": [
                {
                  "value": "unset",
                  "displayValue": "not set"
                },
                {
                  "value": "denied",
                  "displayValue": "denied"
                },
                {
                  "value": "granted",
                  "displayValue": "granted"
                }
              ],
              "simpleValueType": true,
              "defaultValue": "unset"
            },
            "isUnique": false
          },
          {
            "param": {
              "type": "SELECT",
              "name": "personalization_storage",
              "displayName": "personalization_storage",
              "macrosInSelect": false,
              "selectItems": [
                {
                  "value": "unset",
                  "displayValue": "not set"
                },
                {
                  "value": "denied",
                  "displayValue": "denied"
                },
                {
                  "value": "granted",
                  "displayValue": "granted"
                }
              ],
              "simpleValueType": true,
              "defaultValue": "unset"
            },
            "isUnique": false
          },
          {
            "param": {
              "type": "SELECT",
              "name": "security_storage",
              "displayName": "security_storage",
              "macrosInSelect": false,
              "selectItems": [
                {
                  "value": "unset",
                  "displayValue": "not set"
                },
                {
                  "value": "denied",
                  "displayValue": "denied"
                },
                {
                  "value": "granted",
                  "displayValue": "granted"
                }
              ],
              "simpleValueType": true,
              "defaultValue": "unset"
            },
            "isUnique": false
          }
        ]
      },
      {
        "type": "TEXT",
        "name": "waitForUpdate",
        "displayName": "Wait for an earlier answer",
        "simpleValueType": true,
        "defaultValue": 500,
        "valueUnit": "milliseconds",
        "valueValidators": [
          {
            "type": "NON_NEGATIVE_NUMBER"
          }
        ],
        "help": "Google's tags wait this long for an update (wait_for_update)."
      },
      {
        "type": "CHECKBOX",
        "name": "adsDataRedaction",
        "checkboxText": "Redact ads data while ad_storage is denied",
        "simpleValueType": true,
        "defaultValue": true,
        "help": "ads_data_redaction"
      },
      {
        "type": "CHECKBOX",
        "name": "urlPassthrough",
        "checkboxText": "Pass ad click information through URLs",
        "simpleValueType": true,
        "defaultValue": false,
        "help": "url_passthrough"
      }
    ]
  },
  {
    "type": "GROUP",
    "name": "widget",
    "displayName": "Options of the banner",
    "groupStyle": "ZIPPY_CLOSED",
    "subParams": [
      {
        "type": "SIMPLE_TABLE",
        "name": "options",
        "displayName": "",
        "newRowButtonText": "Add option",
        "simpleTableColumns": [
          {
            "type": "SELECT",
            "name": "name",
            "displayName": "Option",
            "macrosInSelect": false,
            "selectItems": [
              {
                "value": "cookies",
                "displayValue": "cookies"
              },
              {
                "value": "environment",
                "displayValue": "environment"
              },
              {
                "value": "language",
                "displayValue": "language"
              },
              {
                "value": "country",
                "displayValue": "country"
              },
              {
                "value": "region",
                "displayValue": "region"
              },
              {
                "value": "manual",
                "displayValue": "manual"
              },
              {
                "value": "cdn",
                "displayValue": "cdn"
              },
              {
                "value": "userCookiesDomain",
                "displayValue": "userCookiesDomain"
              }
            ],
            "simpleValueType": true,
            "defaultValue": "cookies",
            "isUnique": true
          },
          {
            "type": "TEXT",
            "name": "value",
            "displayName": "Value",
            "simpleValueType": true,
            "defaultValue": ""
          }
        ]
      }
    ]
  }
]


___SANDBOXED_JS_FOR_WEB_TEMPLATE___

const JSON = require('JSON');
const Object = require('Object');
const callInWindow = require('callInWindow');
const encodeUriComponent = require('encodeUriComponent');
const getCookieValues = require('getCookieValues');
const gtagSet = require('gtagSet');
const injectScript = require('injectScript');
const makeInteger = require('makeInteger');
const queryPermission = require('queryPermission');
const setDefaultConsentState = require('setDefaultConsentState');
const updateConsentState = require('updateConsentState');

const required = ['ad_storage', 'ad_user_data', 'ad_personalization', 'analytics_storage'];
// The permission access_consent lists these types. Any other one would stop the tag.
const types = required.concat(['functionality_storage', 'personalization_storage', 'security_storage']);

const pickSignals = (source) => {
  const signals = {};
  types.forEach((type) => {
    if (source[type] === 'granted' || source[type] === 'denied') signals[type] = source[type];
  });
  return signals;
};

const setDefault = (row, regions) => {
  const signals = pickSignals(row);
  // A type without a default counts as granted.
  required.forEach((type) => {
    signals[type] = signals[type] || 'denied';
  });
  if (regions.length > 0) signals.region = regions;
  signals.wait_for_update = makeInteger(data.waitForUpdate) || 0;
  setDefaultConsentState(signals);
};

const setDefaults = () => {
  let isEverywhere = false;
  (data.defaults || []).forEach((row) => {
    const codes = (row.region || '').split(',').map((code) => code.trim());
    const regions = codes.filter((code) => code !== '');
    if (regions.length === 0) isEverywhere = true;
    setDefault(row, regions);
  });
  if (!isEverywhere) setDefault({}, []);
};

// Applies the answer in the widget's cookie, if there is one.
const update = () => {
  let newest = {};
  // A parent domain may have a cookie of the same name.
  getCookieValues('axeptio_cookies').forEach((text) => {
    const memory = JSON.parse(text);
    if (memory && (memory.$$date || '') >= (newest.$$date || '')) newest = memory;
  });
  const signals = pickSignals((newest.$$completed && newest.$$googleConsentMode) || {});
  if (Object.keys(signals).length > 0) updateConsentState(signals);
};

const listen = () => {
  ['ready', 'answered'].forEach((name) => callInWindow('avow.on', name, update));
  data.gtmOnSuccess();
};

gtagSet({
  ads_data_redaction: data.adsDataRedaction === true,
  url_passthrough: data.urlPassthrough === true
});
setDefaults();
update();

// With consentMode=site the widget leaves the default to this template.
const parameters = [{name: 'project', value: data.project}, {name: 'consentMode', value: 'site'}];
const query = parameters.concat(data.options || []).map((parameter) => {
  return parameter.name + '=' + encodeUriComponent(parameter.value);
});
const address = data.service + '/widget.js?' + query.join('&');
if (queryPermission('inject_script', address)) {
  injectScript(address, listen, data.gtmOnFailure, address);
} else {
  data.gtmOnFailure();
}


___WEB_PERMISSIONS___

[
  {
    "instance": {
      "key": {
        "publicId": "access_consent",
        "versionId": "1"
      },
      "param": [
        {
          "key": "consentTypes",
          "value": {
            "type": 2,
            "listItem": [
              {
                "type": 3,
                "mapKey": [
                  {
                    "type": 1,
                    "string": "consentType"
                  },
                  {
                    "type": 1,
                    "string": "read"
                  },
                  {
                    "type": 1,
                    "string": "write"
                  }
                ],
                "mapValue": [
                  {
                    "type": 1,
                    "string": "ad_storage"
                  },
                  {
                    "type": 8,
                    "boolean": false
                  },
                  {
                    "type": 8,
                    "boolean": true
                  }
                ]
              },
              {
                "type": 3,
                "mapKey": [
                  {
                    "type": 1,
                    "string": "consentType"
                  },
                  {
                    "type": 1,
                    "string": "read"
                  },
                  {
                    "type": 1,
                    "string": "write"
                  }
                ],
                "mapValue": [
                  {
                    "type": 1,
                    "string": "ad_user_data"
                  },
                  {
                    "type": 8,
                    "boolean": false
                  },
                  {
                    "type": 8,
                    "boolean": true
                  }
                ]
              },
              {
                "type": 3,
                "mapKey": [
                  {
                    "type": 1,
                    "string": "consentType"
                  },
                  {
                    "type": 1,
                    "string": "read"
                  },
                  {
                    "type": 1,
                    "string": "write"
                  }
                ],
                "mapValue": [
                  {
                    "type": 1,
                    "string": "ad_personalization"
                  },
                  {
                    "type": 8,
                    "boolean": false
                  },
                  {
                    "type": 8,
                    "boolean": true
                  }
                ]
              },
              {
                "type": 3,
                "mapKey": [
                  {
                    "type": 1,
                    "string": "consentType"
                  },
                  {
                    "type": 1,
                    "string": "read"
                  },
                  {
                    "type": 1,
                    "string": "write"
                  }
                ],
                "mapValue": [
                  {
                    "type": 1,
                    "string": "analytics_storage"
                  },
                  {
                    "type": 8,
                    "boolean": false
                  },
                  {
                    "type": 8,
                    "boolean": true
                  }
                ]
              },
              {
                "type": 3,
                "mapKey": [
                  {
                    "type": 1,
                    "string": "consentType"
                  },
                  {
                    "type": 1,
                    "string": "read"
                  },
                  {
                    "type": 1,
                    "string": "write"
                  }
                ],
                "mapValue": [
                  {
                    "type": 1,
                    "string": "functionality_storage"
                  },
                  {
                    "type": 8,
                    "boolean": false
                  },
                  {
                    "type": 8,
                    "boolean": true
                  }
                ]
              },
              {
                "type": 3,
                "mapKey": [
                  {
                    "type": 1,
                    "string": "consentType"
                  },
                  {
                    "type": 1,
                    "string": "read"
                  },
                  {
                    "type": 1,
                    "string": "write"
                  }
                ],
                "mapValue": [
                  {
                    "type": 1,
                    "string": "personalization_storage"
                  },
                  {
                    "type": 8,
                    "boolean": false
                  },
                  {
                    "type": 8,
                    "boolean": true
                  }
                ]
              },
              {
                "type": 3,
                "mapKey": [
                  {
                    "type": 1,
                    "string": "consentType"
                  },
                  {
                    "type": 1,
                    "string": "read"
                  },
                  {
                    "type": 1,
                    "string": "write"
                  }
                ],
                "mapValue": [
                  {
                    "type": 1,
                    "string": "security_storage"
                  },
                  {
                    "type": 8,
                    "boolean": false
                  },
                  {
                    "type": 8,
                    "boolean": true
                  }
                ]
              }
            ]
          }
        }
      ]
    },
    "clientAnnotations": {
      "isEditedByUser": true
    },
    "isRequired": true
  },
  {
    "instance": {
      "key": {
        "publicId": "get_cookies",
        "versionId": "1"
      },
      "param": [
        {
          "key": "cookieAccess",
          "value": {
            "type": 1,
            "string": "specific"
          }
        },
        {
          "key": "cookieNames",
          "value": {
            "type": 2,
            "listItem": [
              {
                "type": 1,
                "string": "axeptio_cookies"
              }
            ]
          }
        }
      ]
    },
    "clientAnnotations": {
      "isEditedByUser": true
    },
    "isRequired": true
  },
  {
    "instance": {
      "key": {
        "publicId": "access_globals",
        "versionId": "1"
      },
      "param": [
        {
          "key": "keys",
          "value": {
            "type": 2,
            "listItem": [
              {
                "type": 3,
                "mapKey": [
                  {
                    "type": 1,
                    "string": "key"
                  },
                  {
                    "type": 1,
                    "string": "read"
                  },
                  {
                    "type": 1,
                    "string": "write"
                  },
                  {
                    "type": 1,
                    "string": "execute"
                  }
                ],
                "mapValue": [
                  {
                    "type": 1,
                    "string": "avow.on"
                  },
                  {
                    "type": 8,
                    "boolean": false
                  },
                  {
                    "type": 8,
                    "boolean": false
                  },
                  {
                    "type": 8,
                    "boolean": true
                  }
                ]
              }
            ]
          }
        }
      ]
    },
    "clientAnnotations": {
      "isEditedByUser": true
    },
    "isRequired": true
  },
  {
    "instance": {
      "key": {
        "publicId": "inject_script",
        "versionId": "1"
      },
      "param": [
        {
          "key": "urls",
          "value": {
            "type": 2,
            "listItem": [
              {
                "type": 1,
                "string": "https://*/widget.js*"
              }
            ]
          }
        }
      ]
    },
    "clientAnnotations": {
      "isEditedByUser": true
    },
    "isRequired": true
  },
  {
    "instance": {
      "key": {
        "publicId": "write_data_layer",
        "versionId": "1"
      },
      "param": [
        {
          "key": "keyPatterns",
          "value": {
            "type": 2,
            "listItem": [
              {
                "type": 1,
                "string": "ads_data_redaction"
              },
              {
                "type": 1,
                "string": "url_passthrough"
              }
            ]
          }
        }
      ]
    },
    "clientAnnotations": {
      "isEditedByUser": true
    },
    "isRequired": true
  }
]


___TESTS___

scenarios:
- name: Denies the four signals everywhere without a row
  code: |-
    runCode(tag);
    assertThat(defaults).isEqualTo([{
      ad_storage: 'denied',
      ad_user_data: 'denied',
      ad_personalization: 'denied',
      analytics_storage: 'denied',
      wait_for_update: 500
    }]);
- name: Sets the defaults of each row, and denies the rest of the world
  code: |-
    tag.defaults = [{
      region: 'US, CA-QC',
      ad_storage: 'granted',
      ad_user_data: 'granted',
      ad_personalization: 'denied',
      analytics_storage: 'granted',
      functionality_storage: 'granted',
      personalization_storage: 'unset',
      security_storage: 'unset'
    }];
    runCode(tag);
    assertThat(defaults.length).isEqualTo(2);
    assertThat(defaults[0]).isEqualTo({
      ad_storage: 'granted',
      ad_user_data: 'granted',
      ad_personalization: 'denied',
      analytics_storage: 'granted',
      functionality_storage: 'granted',
      region: ['US', 'CA-QC'],
      wait_for_update: 500
    });
    assertThat(defaults[1].region).isUndefined();
    assertThat(defaults[1].ad_storage).isEqualTo('denied');
- name: Uses the row without regions for the rest of the world
  code: |-
    tag.defaults = [
      {region: ' ', analytics_storage: 'granted'},
      {region: 'FR', ad_storage: 'denied'}
    ];
    runCode(tag);
    assertThat(defaults.length).isEqualTo(2);
    assertThat(defaults[0].region).isUndefined();
    assertThat(defaults[0].analytics_storage).isEqualTo('granted');
    assertThat(defaults[1].region).isEqualTo(['FR']);
- name: Denies the four signals that a row does not set
  code: |-
    tag.defaults = [{region: '', analytics_storage: 'granted'}];
    runCode(tag);
    assertThat(defaults).isEqualTo([{
      ad_storage: 'denied',
      ad_user_data: 'denied',
      ad_personalization: 'denied',
      analytics_storage: 'granted',
      wait_for_update: 500
    }]);
- name: Sets redaction, passthrough and the waiting time
  code: |-
    tag.waitForUpdate = '1500';
    tag.adsDataRedaction = true;
    runCode(tag);
    assertApi('gtagSet').wasCalledWith({ads_data_redaction: true, url_passthrough: false});
    assertThat(defaults[0].wait_for_update).isEqualTo(1500);
- name: Updates the signals of a returning visitor before the widget loads
  code: |-
    cookies = [toCookie('2026-05-01', {ad_storage: 'denied', analytics_storage: 'granted'})];
    runCode(tag);
    assertThat(steps).isEqualTo(['default', 'update', 'load']);
    assertApi('updateConsentState').wasCalledWith({
      ad_storage: 'denied',
      analytics_storage: 'granted'
    });
- name: Uses the newest of two cookies with the same name
  code: |-
    cookies = [
      toCookie('2026-05-01', {ad_storage: 'denied'}),
      toCookie('2026-06-01', {ad_storage: 'granted'}),
      toCookie('2026-04-01', {ad_storage: 'denied'})
    ];
    runCode(tag);
    assertApi('updateConsentState').wasCalledWith({ad_storage: 'granted'});
- name: Passes on known signals with known values only
  code: |-
    cookies = [toCookie('2026-05-01', {
      security_storage: 'granted',
      other_storage: 'granted',
      ad_storage: true
    })];
    runCode(tag);
    assertApi('updateConsentState').wasCalledWith({security_storage: 'granted'});
- name: Ignores cookies that contain no answer
  code: |-
    cookies = [
      'not JSON',
      'null',
      '{}',
      '{"$$googleConsentMode": {"ad_storage": "granted"}}',
      '{"$$completed": true}'
    ];
    runCode(tag);
    assertApi('updateConsentState').wasNotCalled();
    assertApi('injectScript').wasCalled();
- name: Loads the widget with its options in the query
  code: |-
    tag.options = [{name: 'cookies', value: 'shop & more'}];
    runCode(tag);
    assertThat(loaded).isEqualTo(
      'https://consent.example/widget.js?project=6b09eef687a988aee4fbcbea' +
      '&consentMode=site&cookies=shop%20%26%20more'
    );
    assertApi('gtmOnSuccess').wasCalled();
- name: Updates the signals when the visitor answers
  code: |-
    runCode(tag);
    assertApi('updateConsentState').wasNotCalled();
    cookies = [toCookie('2026-05-01', {ad_storage: 'granted'})];
    emit('answered');
    assertApi('updateConsentState').wasCalledWith({ad_storage: 'granted'});
- name: Updates the signals when an answer of another device arrives
  code: |-
    cookies = [toCookie('2026-05-01', {ad_storage: 'granted'})];
    runCode(tag);
    cookies = [toCookie('2026-05-02', {ad_storage: 'denied'})];
    emit('ready');
    assertApi('updateConsentState').wasCalledWith({ad_storage: 'denied'});
- name: Fails when the widget does not load
  code: |-
    mock('injectScript', (url, onSuccess, onFailure) => onFailure());
    runCode(tag);
    assertApi('gtmOnFailure').wasCalled();
    assertApi('gtmOnSuccess').wasNotCalled();
- name: Fails when the permission does not cover the service, after it has set the defaults
  code: |-
    mock('queryPermission', false);
    runCode(tag);
    assertThat(steps).isEqualTo(['default']);
    assertApi('injectScript').wasNotCalled();
    assertApi('gtmOnFailure').wasCalled();
setup: |-
  const JSON = require('JSON');

  const tag = {
    service: 'https://consent.example',
    project: '6b09eef687a988aee4fbcbea',
    waitForUpdate: 500
  };
  let cookies = [];
  const defaults = [];
  const steps = [];
  const listeners = {};
  let loaded;

  const emit = (name) => {
    const listener = listeners[name];
    listener();
  };
  const toCookie = (date, signals) => {
    return JSON.stringify({$$completed: true, $$date: date, $$googleConsentMode: signals});
  };

  mock('gtagSet', () => undefined);
  mock('getCookieValues', () => cookies);
  mock('setDefaultConsentState', (state) => {
    defaults.push(state);
    steps.push('default');
  });
  mock('updateConsentState', () => {
    steps.push('update');
  });
  mock('injectScript', (url, onSuccess) => {
    loaded = url;
    steps.push('load');
    onSuccess();
  });
  mock('callInWindow', (path, name, listener) => {
    assertThat(path).isEqualTo('avow.on');
    listeners[name] = listener;
  });


___NOTES___

Sets the defaults of Consent Mode by region, applies the answer of a returning visitor, loads the widget of an Avow service, and updates the signals with each answer. Trigger: Consent Initialization - All Pages.

Permissions:
- access_consent: writes the seven types; reads none.
- get_cookies: the widget's cookie only. A site that renames the cookie (jsonCookieName) changes the name here and in the code.
- access_globals: calls avow.on.
- inject_script: widget.js of any host, since each Avow service has its own. Replace the host by yours in your copy.
- write_data_layer: ads_data_redaction and url_passthrough.
