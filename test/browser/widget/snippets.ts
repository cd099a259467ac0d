/** A third party's snippet, verbatim from its documentation. */
export interface Snippet {
  vendor: string;
  /** The prefix of the URL that it requests first. */
  address: string;
  html: string;
  /** A global property that its inline script sets. */
  leaves?: string;
  /** The signals of Google Consent Mode that depend on it. */
  signals?: string[];
}

/** The tags of eight services that run as scripts. */
export const scripts: readonly Snippet[] = [
  {
    vendor: "google_analytics",
    address: "https://www.googletagmanager.com/gtag/js?id=G-",
    leaves: "gtag",
    signals: ["analytics_storage"],
    html: `<!-- Google tag (gtag.js) -->
<script async src="https://www.googletagmanager.com/gtag/js?id=G-ABCDE12345"></script>
<script>
  window.dataLayer = window.dataLayer || [];
  function gtag(){dataLayer.push(arguments);}
  gtag('js', new Date());

  gtag('config', 'G-ABCDE12345');
</script>`,
  },
  {
    vendor: "google_tag_manager",
    address: "https://www.googletagmanager.com/gtm.js?id=GTM-",
    leaves: "dataLayer",
    html: `<!-- Google Tag Manager -->
<script>(function(w,d,s,l,i){w[l]=w[l]||[];w[l].push({'gtm.start':
new Date().getTime(),event:'gtm.js'});var f=d.getElementsByTagName(s)[0],
j=d.createElement(s),dl=l!='dataLayer'?'&l='+l:'';j.async=true;j.src=
'https://www.googletagmanager.com/gtm.js?id='+i+dl;f.parentNode.insertBefore(j,f);
})(window,document,'script','dataLayer','GTM-ABC1234');</script>
<!-- End Google Tag Manager -->`,
  },
  {
    vendor: "google_ads",
    address: "https://www.googletagmanager.com/gtag/js?id=AW-",
    leaves: "gtag",
    signals: ["ad_storage", "ad_user_data", "ad_personalization"],
    html: `<!-- Google tag (gtag.js) -->
<script async src="https://www.googletagmanager.com/gtag/js?id=AW-123456789"></script>
<script>
  window.dataLayer = window.dataLayer || [];
  function gtag(){dataLayer.push(arguments);}
  gtag('js', new Date());

  gtag('config', 'AW-123456789');
</script>
<!-- Event snippet for Purchase conversion page -->
<script>
  gtag('event', 'conversion', {
      'send_to': 'AW-123456789/AbC-D_efG-h12_34-567',
      'value': 1.0,
      'currency': 'EUR',
      'transaction_id': ''
  });
</script>`,
  },
  {
    vendor: "meta_pixel",
    address: "https://connect.facebook.net/en_US/fbevents.js",
    leaves: "fbq",
    html: `<!-- Meta Pixel Code -->
<script>
!function(f,b,e,v,n,t,s)
{if(f.fbq)return;n=f.fbq=function(){n.callMethod?
n.callMethod.apply(n,arguments):n.queue.push(arguments)};
if(!f._fbq)f._fbq=n;n.push=n;n.loaded=!0;n.version='2.0';
n.queue=[];t=b.createElement(e);t.async=!0;
t.src=v;s=b.getElementsByTagName(e)[0];
s.parentNode.insertBefore(t,s)}(window, document,'script',
'https://connect.facebook.net/en_US/fbevents.js');
fbq('init', '1234567890123456');
fbq('track', 'PageView');
</script>
<!-- End Meta Pixel Code -->`,
  },
  {
    vendor: "hotjar",
    address: "https://static.hotjar.com/c/hotjar-",
    leaves: "_hjSettings",
    html: `<!-- Hotjar Tracking Code for https://shop.example -->
<script>
    (function(h,o,t,j,a,r){
        h.hj=h.hj||function(){(h.hj.q=h.hj.q||[]).push(arguments)};
        h._hjSettings={hjid:1234567,hjsv:6};
        a=o.getElementsByTagName('head')[0];
        r=o.createElement('script');r.async=1;
        r.src=t+h._hjSettings.hjid+j+h._hjSettings.hjsv;
        a.appendChild(r);
    })(window,document,'https://static.hotjar.com/c/hotjar-','.js?sv=');
</script>`,
  },
  {
    vendor: "linkedin_insight",
    address: "https://snap.licdn.com/li.lms-analytics/insight.min.js",
    leaves: "_linkedin_partner_id",
    html: `<script type="text/javascript">
_linkedin_partner_id = "1234567";
window._linkedin_data_partner_ids = window._linkedin_data_partner_ids || [];
window._linkedin_data_partner_ids.push(_linkedin_partner_id);
</script><script type="text/javascript">
(function(l) {
if (!l){window.lintrk = function(a,b){window.lintrk.q.push([a,b])};
window.lintrk.q=[]}
var s = document.getElementsByTagName("script")[0];
var b = document.createElement("script");
b.type = "text/javascript";b.async = true;
b.src = "https://snap.licdn.com/li.lms-analytics/insight.min.js";
s.parentNode.insertBefore(b, s);})(window.lintrk);
</script>`,
  },
  {
    vendor: "tiktok_pixel",
    address: "https://analytics.tiktok.com/i18n/pixel/events.js",
    leaves: "ttq",
    html: `<!-- TikTok Pixel Code Start -->
<script>
!function (w, d, t) {
  w.TiktokAnalyticsObject=t;var ttq=w[t]=w[t]||[];ttq.methods=["page","track","identify","instances","debug","on","off","once","ready","alias","group","enableCookie","disableCookie","holdConsent","revokeConsent","grantConsent"],ttq.setAndDefer=function(t,e){t[e]=function(){t.push([e].concat(Array.prototype.slice.call(arguments,0)))}};for(var i=0;i<ttq.methods.length;i++)ttq.setAndDefer(ttq,ttq.methods[i]);ttq.instance=function(t){for(
var e=ttq._i[t]||[],n=0;n<ttq.methods.length;n++)ttq.setAndDefer(e,ttq.methods[n]);return e},ttq.load=function(e,n){var r="https://analytics.tiktok.com/i18n/pixel/events.js",o=n&&n.partner;ttq._i=ttq._i||{},ttq._i[e]=[],ttq._i[e]._u=r,ttq._t=ttq._t||{},ttq._t[e]=+new Date,ttq._o=ttq._o||{},ttq._o[e]=n||{};n=document.createElement("script")
;n.type="text/javascript",n.async=!0,n.src=r+"?sdkid="+e+"&lib="+t;e=document.getElementsByTagName("script")[0];e.parentNode.insertBefore(n,e)};

  ttq.load('ABCDEFGHIJ0123456789');
  ttq.page();
}(window, document, 'ttq');
</script>
<!-- TikTok Pixel Code End -->`,
  },
  {
    vendor: "matomo",
    address: "https://cdn.matomo.cloud/shop.matomo.cloud/matomo.js",
    leaves: "_paq",
    html: `<!-- Matomo -->
<script>
  var _paq = window._paq = window._paq || [];
  /* tracker methods like "setCustomDimension" should be called before "trackPageView" */
  _paq.push(['trackPageView']);
  _paq.push(['enableLinkTracking']);
  (function() {
    var u="https://shop.matomo.cloud/";
    _paq.push(['setTrackerUrl', u+'matomo.php']);
    _paq.push(['setSiteId', '1']);
    var d=document, g=d.createElement('script'), s=d.getElementsByTagName('script')[0];
    g.async=true; g.src='https://cdn.matomo.cloud/shop.matomo.cloud/matomo.js'; s.parentNode.insertBefore(g,s);
  })();
</script>
<!-- End Matomo Code -->`,
  },
];

/** Embeds without a script. */
export const embeds: readonly Snippet[] = [
  {
    vendor: "youtube",
    address: "https://www.youtube.com/embed/",
    html: `<iframe width="560" height="315" src="https://www.youtube.com/embed/dQw4w9WgXcQ" title="YouTube video player" frameborder="0" allow="autoplay; encrypted-media; picture-in-picture" allowfullscreen></iframe>`,
  },
  {
    vendor: "google_maps",
    address: "https://www.google.com/maps/embed",
    html: `<iframe src="https://www.google.com/maps/embed?pb=!1m18!1m12!1m3!1d2783.6" width="600" height="450" style="border:0;" allowfullscreen="" referrerpolicy="no-referrer-when-downgrade"></iframe>`,
  },
  {
    vendor: "pinterest",
    address: "https://ct.pinterest.com/v3/",
    html: `<img height="1" width="1" style="display:none;" alt="" src="https://ct.pinterest.com/v3/?event=init&tid=1234567890123&noscript=1" />`,
  },
];

export const snippets: readonly Snippet[] = [...scripts, ...embeds];

/**
 * A snippet blocked for the widget: scripts are inert and name their vendor, other elements have `data-src`.
 * Scripts get `nonce` if the page's policy needs one.
 */
export function toBlocked({ html, vendor }: Pick<Snippet, "html" | "vendor">, nonce = ""): string {
  const attributes = `data-avow-vendor="${vendor}"${nonce && ` nonce="${nonce}"`}`;
  return html
    .replace(/<script( type="text\/javascript")?/g, `<script type="text/plain" ${attributes}`)
    .replace(/<(iframe|img)\b([^>]*?) src=/g, `<$1 data-avow-vendor="${vendor}"$2 data-src=`);
}
