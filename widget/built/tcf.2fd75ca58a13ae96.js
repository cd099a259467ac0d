"use strict";var e;e={openTcf:(e,t)=>({isPending:()=>!1,answer:()=>{},toMain:()=>document.createTextNode("")})},document.currentScript?.dispatchEvent(new CustomEvent("avow",{detail:e}));
