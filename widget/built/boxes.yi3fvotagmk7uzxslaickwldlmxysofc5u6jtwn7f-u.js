"use strict";var t;t={openBoxes(t){return{fill(){}}}},document.currentScript?.dispatchEvent(new CustomEvent("avow",{detail:t}));
