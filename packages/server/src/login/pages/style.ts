import { createHash } from 'node:crypto'

/** A style sheet's hash source for a content security policy. */
export const hashOf = (css: string): string => `sha256-${createHash('sha256').update(css).digest('base64')}`

/** The colours a channel's own colour must contrast with. */
export const card = { light: '#ffffff', dark: '#1b1e24' } as const
export const edge = { light: '#747b88', dark: '#8b92a0' } as const

// TV browsers are years old: no custom properties, no gap, nothing that breaks when unsupported.
/** The common style of the viewers' pages. */
export const style = `
*{box-sizing:border-box}
[hidden]{display:none!important}
html{font-size:100%;-webkit-text-size-adjust:100%;text-size-adjust:100%}
body{margin:0;min-height:100vh;display:flex;flex-direction:column;padding:1.5rem 0;background:#f3f4f6;color:#1a1d23;
font:1rem/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans",Ubuntu,"Helvetica Neue",Arial,sans-serif;
word-wrap:break-word;overflow-wrap:anywhere;-webkit-font-smoothing:antialiased}
.page{width:100%;max-width:27rem;margin:auto;padding:0 1rem}
.brand{margin:0 0 1.25rem;font-size:1.0625rem;font-weight:600;text-align:center}
.brand img{display:inline-block;max-width:13rem;max-height:3.5rem;width:auto;height:auto;vertical-align:middle;
filter:drop-shadow(0 0 1px rgba(0,0,0,.45))}
.card{display:block;padding:2.25rem 2rem 2rem;border:1px solid #e0e3e8;border-radius:1rem;background:${card.light};
box-shadow:0 1px 2px rgba(20,24,32,.04),0 12px 32px -12px rgba(20,24,32,.12)}
h1{margin:0;font-size:1.5rem;line-height:1.25;font-weight:650;letter-spacing:-.012em;text-wrap:balance}
p{margin:.625rem 0 0}
.word{white-space:nowrap}
.quiet,.hint{color:#565d6a}
.hint{margin:.5rem 0 0;font-size:.9375rem}
form{margin:1.5rem 0 0}
.field{margin:0 0 1.25rem}
label{display:block;margin:0 0 .375rem;font-weight:600}
input{display:block;width:100%;min-height:3rem;padding:.625rem .875rem;border:1px solid ${edge.light};
border-radius:.625rem;background:${card.light};color:inherit;font:inherit;font-size:1rem}
input[aria-invalid]{border-color:#b3261e;box-shadow:inset 0 0 0 1px #b3261e}
.pin{min-height:4rem;font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,"Liberation Mono",monospace;
font-size:1.75rem;letter-spacing:.22em;text-indent:.22em;text-align:center}
button{display:block;width:100%;min-height:3rem;margin:.75rem 0 0;padding:.625rem 1rem;border:1px solid ${edge.light};
border-radius:.625rem;background:transparent;color:inherit;font:inherit;font-weight:600;text-align:center;cursor:pointer;
white-space:normal;-webkit-appearance:none;appearance:none}
.main{border-color:#2855c5;background:#2855c5;color:#ffffff}
button:hover{box-shadow:0 0 0 3px rgba(90,98,112,.22)}
a{color:inherit;text-decoration:underline;text-underline-offset:.18em}
a:hover{text-decoration-thickness:2px}
.after{margin:1rem 0 0;text-align:center}
.after a,.help a{display:inline-block;padding:.5rem .375rem}
input:focus,button:focus,a:focus{outline:3px solid #1a1d23;outline-offset:2px}
button:focus:not(:focus-visible),a:focus:not(:focus-visible){outline:none}
a:focus{border-radius:.25rem}
.alert,.notice{margin:1.25rem 0 0;padding:.75rem 1rem;border:1px solid;border-radius:.625rem}
.alert{border-color:#b3261e;background:#fdf1f0;color:#8c1d18}
.notice{border-color:#cfa640;background:#fdf8ea;color:#54400b}
.facts{margin:1.5rem 0 0;border-top:1px solid #e0e3e8}
.facts div{display:flex;align-items:baseline;padding:.625rem 0;border-bottom:1px solid #e0e3e8}
dt{flex:none;width:5.25rem;color:#565d6a;font-size:.9375rem}
dd{flex:1;min-width:0;margin:0;font-weight:500}
.code{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,"Liberation Mono",monospace;font-size:1.25rem;letter-spacing:.14em}
.help{margin:1rem 0 0;font-size:.9375rem;text-align:center;color:#565d6a}
@media (max-width:29rem){
body{padding:1.25rem 0}
.card{padding:1.75rem 1.25rem 1.5rem}
}
@media (max-width:16rem){
.page{padding:0 .5rem}
.card{padding:1.25rem .75rem}
h1{font-size:1.1875rem}
button{padding:.625rem .25rem}
.facts div{display:block}
.pin{padding:.625rem .25rem;font-size:1.25rem;letter-spacing:.06em;text-indent:.06em}
}
@media (prefers-color-scheme:dark){
body{background:#111318;color:#eceef2}
.brand img{max-width:14.25rem;max-height:4.25rem;padding:.375rem .625rem;border-radius:.625rem;background:#f3f4f6}
.card{border-color:#2e333c;background:${card.dark};box-shadow:none}
.quiet,.hint,.help,dt{color:#aab1bd}
input{border-color:${edge.dark};background:#14171c}
input[aria-invalid]{border-color:#ff9a91;box-shadow:inset 0 0 0 1px #ff9a91}
button{border-color:${edge.dark}}
.main{border-color:#5b84ea;background:#2f5dd0}
input:focus,button:focus,a:focus{outline-color:#eceef2}
.alert{border-color:#ff9a91;background:#33191a;color:#ffc9c4}
.notice{border-color:#b08d33;background:#2b2512;color:#f3dfa6}
.facts,.facts div{border-color:#2e333c}
}
@media (prefers-reduced-motion:no-preference){
input,button{transition:box-shadow .15s ease}
}
`

/** The hash of the style sheet on every page. */
export const styleHash = hashOf(style)
