function n(o,c){let t=URL.createObjectURL(o),e=document.createElement("a");e.href=t,e.download=c,e.click(),setTimeout(()=>URL.revokeObjectURL(t),6e4)}export{n as a};
