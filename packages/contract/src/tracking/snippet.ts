/**
 * The element before the tracking script's in an organization's pages, the same for all. Built from
 * `packages/tracker/src/snippet.ts` by `pnpm --filter @findersfee/tracker snippet`.
 */
export const TRACKING_SNIPPET =
  '<script>\n(()=>{if(!window.findersfee){let n=[],{href:i}=location,s,r=(...e)=>new Promise(t=>{n.push([t,...e]),s&&o(),setTimeout(t,3e3,null)}),c=()=>document.querySelector("[data-key^=ff_pk_]"),o=()=>{try{let{src:e,dataset:t}=c(),l=/findersfee_click=([^;]+)/.exec(document.cookie)?.[1],a=n.splice(0).filter(([d,f,u])=>{d?.(null);let p={key:t.key,click_id:l,email:f,signature:Object(u).signature};return f&&!(l&&navigator.sendBeacon(new URL("track/signup",e),JSON.stringify(p)))});a[0]&&!s&&/[?#]/.test(i)&&(t.consent??t.respectDnt)==null&&(sessionStorage.findersfee=JSON.stringify({href:i,q:a}))}catch{}};window.findersfee={q:n,href:i,refer:r,ready:r(),consent:e=>r("",e)},addEventListener("pagehide",o),addEventListener("error",({target:e})=>{e===c()&&(s=1,o())},!0)}})();\n</script>';
