___TERMS_OF_SERVICE___

By creating or modifying this file you agree to Google Tag Manager's Community
Template Gallery Developer Terms of Service available at
https://developers.google.com/tag-manager/gallery-tos (or such other URL as
Google may provide), as modified from time to time.


___INFO___

{
  "type": "MACRO",
  "id": "cvt_temp_public_id",
  "version": 1,
  "securityGroups": [],
  "displayName": "Avow answer",
  "brand": {
    "id": "brand_dummy",
    "displayName": "Avow"
  },
  "description": "The visitor's answer to the Avow banner: whether a vendor is accepted, the signals of Consent Mode, the token, or the TC string.",
  "containerContexts": [
    "SERVER"
  ]
}


___TEMPLATE_PARAMETERS___

[
  {
    "type": "SELECT",
    "name": "value",
    "displayName": "Value",
    "macrosInSelect": false,
    "selectItems": [
      {
        "value": "vendor",
        "displayValue": "Whether a vendor is accepted"
      },
      {
        "value": "signals",
        "displayValue": "Signals of Consent Mode"
      },
      {
        "value": "signal",
        "displayValue": "One signal of Consent Mode"
      },
      {
        "value": "token",
        "displayValue": "Token of the visitor"
      },
      {
        "value": "tcString",
        "displayValue": "TC string"
      }
    ],
    "simpleValueType": true,
    "defaultValue": "vendor",
    "alwaysInSummary": true
  },
  {
    "type": "TEXT",
    "name": "vendor",
    "displayName": "Vendor",
    "simpleValueType": true,
    "valueHint": "google_analytics",
    "help": "Name of the vendor in the cookie configuration.",
    "enablingConditions": [
      {
        "paramName": "value",
        "paramValue": "vendor",
        "type": "EQUALS"
      }
    ],
    "valueValidators": [
      {
        "type": "NON_EMPTY"
      }
    ]
  },
  {
    "type": "SELECT",
    "name": "signal",
    "displayName": "Signal",
    "macrosInSelect": false,
    "selectItems": [
      {
        "value": "ad_storage",
        "displayValue": "ad_storage"
      },
      {
        "value": "ad_user_data",
        "displayValue": "ad_user_data"
      },
      {
        "value": "ad_personalization",
        "displayValue": "ad_personalization"
      },
      {
        "value": "analytics_storage",
        "displayValue": "analytics_storage"
      },
      {
        "value": "functionality_storage",
        "displayValue": "functionality_storage"
      },
      {
        "value": "personalization_storage",
        "displayValue": "personalization_storage"
      },
      {
        "value": "security_storage",
        "displayValue": "security_storage"
      }
    ],
    "simpleValueType": true,
    "defaultValue": "analytics_storage",
    "enablingConditions": [
      {
        "paramName": "value",
        "paramValue": "signal",
        "type": "EQUALS"
      }
    ]
  }
]


___SANDBOXED_JS_FOR_SERVER___

const JSON = require('JSON');
const getCookieValues = require('getCookieValues');

// A parent domain may have a cookie of the same name.
let newest = {};
getCookieValues('axeptio_cookies').forEach((text) => {
  const memory = JSON.parse(text);
  if (memory && (memory.$$date || '') >= (newest.$$date || '')) newest = memory;
});

if (data.value === 'vendor') return newest[data.vendor] === true;
if (data.value === 'token') return newest.$$token;
if (data.value === 'tcString') return newest.$$tcString;

const signals = newest.$$googleConsentMode;
if (data.value === 'signals') return signals;
return signals && signals[data.signal] === 'granted' ? 'granted' : 'denied';


___SERVER_PERMISSIONS___

[
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
  }
]


___TESTS___

scenarios:
- name: Returns whether a vendor is accepted
  code: |-
    assertThat(runCode({value: 'vendor', vendor: 'google_analytics'})).isEqualTo(true);
    assertThat(runCode({value: 'vendor', vendor: 'meta_pixel'})).isEqualTo(false);
    assertThat(runCode({value: 'vendor', vendor: 'unknown'})).isEqualTo(false);
- name: Returns the signals
  code: |-
    assertThat(runCode({value: 'signals'})).isEqualTo(memory.$$googleConsentMode);
    assertThat(runCode({value: 'signal', signal: 'analytics_storage'})).isEqualTo('granted');
    assertThat(runCode({value: 'signal', signal: 'ad_storage'})).isEqualTo('denied');
    assertThat(runCode({value: 'signal', signal: 'ad_user_data'})).isEqualTo('denied');
- name: Returns the token and the TC string
  code: |-
    assertThat(runCode({value: 'token'})).isEqualTo('visitor-1');
    assertThat(runCode({value: 'tcString'})).isEqualTo('CQabc');
- name: Uses the newest of two cookies with the same name
  code: |-
    const older = JSON.stringify({$$date: '2026-04-01', $$token: 'visitor-0'});
    cookies = [older, cookies[0], older];
    assertThat(runCode({value: 'token'})).isEqualTo('visitor-1');
- name: Denies everything without a readable cookie
  code: |-
    cookies = ['not JSON', 'null'];
    assertThat(runCode({value: 'vendor', vendor: 'google_analytics'})).isEqualTo(false);
    assertThat(runCode({value: 'signal', signal: 'analytics_storage'})).isEqualTo('denied');
    assertThat(runCode({value: 'signals'})).isUndefined();
    assertThat(runCode({value: 'token'})).isUndefined();
    assertThat(runCode({value: 'tcString'})).isUndefined();
setup: |-
  const JSON = require('JSON');

  const memory = {
    $$completed: true,
    $$date: '2026-05-01',
    $$token: 'visitor-1',
    $$tcString: 'CQabc',
    $$googleConsentMode: {ad_storage: 'denied', analytics_storage: 'granted'},
    google_analytics: true,
    meta_pixel: false
  };
  let cookies = [JSON.stringify(memory)];
  mock('getCookieValues', () => cookies);


___NOTES___

Reads the consent cookie of the widget from the incoming request. The container needs an address on the site's own domain, and the cookie a domain that covers both (userCookiesDomain, such as .shop.example).

The values are the visitor's answers as the browser sends them. They are not verified against the service.
