"use strict";var e;e={openTcf(e,t){return{isPending(){return!1},answer(){},toMain(){return document.createTextNode("")}}}},document.currentScript?.dispatchEvent(new CustomEvent("avow",{detail:e}));
