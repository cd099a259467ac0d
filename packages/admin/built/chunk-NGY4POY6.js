var r=String.raw`\s*(https?:\/\/[^\s\/?#]\S*|[^\s\/?#:]+\.[^\s\/?#]{2,}(\/\S*)?)\s*`;function n(s){let t=s.trim();return/^https?:\/\//.test(t)?t:`https://${t}`}export{r as a,n as b};
