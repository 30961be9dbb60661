/** Styles of everything beside the film and over it: artwork, transcript, dialogs, messages. */
export const panelStyles = /* css */ `
.artwork { display: none; }
media-controller[data-audio] .artwork {
  position: absolute;
  inset: 0;
  display: grid;
  place-items: center;
  overflow: hidden;
  background: linear-gradient(135deg, color-mix(in srgb, var(--accent) 55%, #15151b), #15151b 75%);
}
media-controller[data-audio] :is(.poster, .big-play) { display: none; }
.artwork::before {
  content: "";
  position: absolute;
  inset: -10%;
  background: var(--poster, none) center / cover;
  filter: blur(28px) brightness(.5);
}
.cover, .note {
  position: relative;
  height: min(46%, 320px);
  max-width: 60%;
  margin-bottom: 24px;
  border-radius: 10px;
}
.cover { object-fit: contain; box-shadow: 0 6px 28px rgb(0 0 0 / .45); }
.cover[hidden], .artwork:has(.cover:not([hidden])) .note { display: none; }
.note { fill: rgb(255 255 255 / .88); }

.transcript-button svg { width: 24px; height: 24px; fill: var(--media-icon-color, #fff); }
.transcript-button[aria-pressed="true"] { --media-control-background: rgb(255 255 255 / .2); }
:is(.transcript-button, .transcript, .toast, media-chrome-menu-item)[hidden] { display: none; }
.captions:is([submenusize="0"], [submenusize="1"]) ~ .show-caption-style { display: none; }
media-settings-menu > media-chrome-menu-item { opacity: var(--media-settings-menu-item-opacity, 1); }
media-airplay-button[mediaairplayunavailable], media-cast-button[mediacastunavailable] { display: none; }

.transcript {
  box-sizing: border-box;
  display: flex;
  flex: none;
  flex-direction: column;
  min-height: 0;
  background: #17171c;
  color: #f1f1f4;
  font-size: 14px;
}
:host([data-transcript="beside"]) .transcript { width: 32%; }
:host([data-transcript="below"]) .transcript { height: 15rem; }
.transcript header { display: flex; flex-wrap: wrap; gap: 8px; align-items: center; padding: 10px 12px 8px; }
.transcript h2, dialog h2 { flex: 1; margin: 0; font-size: 15px; font-weight: 650; line-height: 1.3; }
.search { flex: 1 0 100%; }
.search, .language, dialog select {
  box-sizing: border-box;
  min-height: 36px;
  min-width: 0;
  padding: 0 10px;
  border: 1px solid rgb(255 255 255 / .45);
  border-radius: 8px;
  background: #0f0f13;
  color: inherit;
  color-scheme: dark;
  font: inherit;
}
.language { max-width: 50%; }
.language[hidden] { display: none; }
.search::placeholder { color: #b4b4be; opacity: 1; }
.found { margin: 0; padding: 0 12px; color: #b4b4be; }
.found:not(:empty) { padding-bottom: 6px; }
.lines { flex: 1; min-height: 0; margin: 0; padding: 0 6px 8px; overflow-y: auto; list-style: none; overscroll-behavior: contain; }
.lines button {
  display: grid;
  grid-template-columns: 3.6em 1fr;
  width: 100%;
  padding: 7px 6px;
  border: 0;
  border-radius: 8px;
  background: none;
  color: inherit;
  font: inherit;
  text-align: start;
  cursor: pointer;
}
.lines button:hover { background: rgb(255 255 255 / .1); }
.lines button[aria-current] { background: rgb(255 255 255 / .17); box-shadow: inset 3px 0 var(--accent); }
.lines time { color: #b4b4be; font-variant-numeric: tabular-nums; }
.lines mark { background: #ffe14d; color: #111; }
.close {
  display: grid;
  place-items: center;
  width: 36px;
  height: 36px;
  padding: 0;
  border: 0;
  border-radius: 8px;
  background: none;
  color: inherit;
  cursor: pointer;
}
.close:hover { background: rgb(255 255 255 / .14); }
.close svg { width: 20px; height: 20px; stroke: currentColor; stroke-width: 2; stroke-linecap: round; }
:is(.search, .language, .close, .lines button, dialog select):focus-visible { outline: 2px solid #fff; outline-offset: -2px; }

dialog {
  box-sizing: border-box;
  width: min(420px, calc(100vw - 16px));
  max-height: calc(100vh - 16px);
  padding: 14px 18px 16px;
  border: 1px solid rgb(255 255 255 / .2);
  border-radius: 12px;
  background: #1c1c22;
  color: #f1f1f4;
  font: 400 14px/1.4 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif;
}
dialog::backdrop { background: rgb(0 0 0 / .55); }
dialog header { display: flex; align-items: center; margin-bottom: 6px; }
dialog table { width: 100%; border-collapse: collapse; }
dialog :is(th, td) { padding: 4px 0; text-align: start; font-weight: 400; vertical-align: baseline; }
dialog tr + tr :is(th, td) { border-top: 1px solid rgb(255 255 255 / .1); }
dialog th { width: 40%; white-space: nowrap; }
kbd {
  display: inline-block;
  min-width: 1.4em;
  padding: 1px 6px;
  border: 1px solid rgb(255 255 255 / .35);
  border-radius: 5px;
  background: rgb(255 255 255 / .08);
  font: inherit;
  text-align: center;
}
dialog form { display: grid; gap: 10px; margin: 0; }
dialog label { display: grid; grid-template-columns: 40% 1fr; align-items: center; }
.sample { margin: 4px 0 14px; padding: 14px; border-radius: 8px; background: linear-gradient(120deg, #3b6b8c, #9a7b4f); text-align: center; font-size: 16px; }
.sample span { padding: 1px 4px; }

.toast {
  position: absolute;
  inset-inline: 12px;
  bottom: 84px;
  width: fit-content;
  max-width: calc(100% - 24px);
  box-sizing: border-box;
  margin: 0 auto;
  padding: 8px 16px;
  border-radius: 18px;
  background: rgb(18 18 22 / .94);
  overflow-wrap: anywhere;
  pointer-events: none;
}
@media (pointer: coarse) { .show-keys { display: none; } }
@media (forced-colors: active) {
  .lines button[aria-current] { outline: 2px solid Highlight; }
  .transcript { border: 1px solid CanvasText; }
}
`
