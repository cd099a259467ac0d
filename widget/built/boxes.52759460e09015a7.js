"use strict";var t;t={openBoxes:t=>({fill:()=>{}})},document.currentScript?.dispatchEvent(new CustomEvent("avow",{detail:t}));
