/** The styles. Parts inside media-chrome's shadow roots are styled through its custom properties. */
export const styles = /* css */ `
:host {
  --accent: var(--zoetrope-accent, #4aa3ff);
  --ratio: var(--zoetrope-aspect-ratio, var(--known-ratio, 16 / 9));
  display: flex;
  flex-direction: column;
  position: relative;
  width: 100%;
  max-height: 100vh;
  aspect-ratio: var(--ratio);
  overflow: hidden;
  background: #000;
  color: #fff;
  font: 400 15px/1.45 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif;
}
:host([hidden]) { display: none; }
/* The transcript is 32 % as wide as the player. */
:host([data-transcript="beside"]) { flex-direction: row; aspect-ratio: calc((var(--ratio)) / .68); }
:host([data-transcript="below"]) { aspect-ratio: auto; max-height: none; }
.stage { position: relative; flex: 1 1 0; min-width: 0; min-height: 0; container-type: inline-size; overflow: hidden; }
:host([data-transcript="below"]) .stage { flex: 1 1 auto; aspect-ratio: var(--ratio); }
:host([no-controls]) :is(.shade, .heading, .big-play, media-settings-menu) { display: none; }

media-controller {
  --media-background-color: #000;
  --media-control-background: transparent;
  --media-control-hover-background: rgb(255 255 255 / .14);
  --media-primary-color: #fff;
  --media-font-family: system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif;
  --media-font-size: 14px;
  --media-control-height: 24px;
  --media-control-padding: 9px;
  --media-button-icon-height: 24px;
  --media-tooltip-background: rgb(18 18 22 / .92);
  --media-range-track-height: 4px;
  --media-range-track-border-radius: 2px;
  --media-range-track-background: rgb(255 255 255 / .28);
  --media-time-range-buffered-color: rgb(255 255 255 / .38);
  --media-range-thumb-width: 14px;
  --media-range-thumb-height: 14px;
  --media-range-thumb-border-radius: 7px;
  --media-preview-thumbnail-border-radius: 6px;
  --media-preview-thumbnail-max-width: 180px;
  --media-preview-border-radius: 6px;
  --media-preview-time-background: none;
  --media-preview-chapter-background: none;
  --media-range-segments-gap: 3px;
  --media-range-segment-hover-height: 6px;
  --media-settings-menu-background: rgb(22 22 27 / .96);
  --media-settings-menu-min-width: 200px;
  --media-menu-item-hover-background: rgb(255 255 255 / .12);
  --media-focus-box-shadow: inset 0 0 0 2px #fff;
  display: block;
  position: absolute;
  inset: 0;
  font: inherit;
}
media-controller:focus-visible { outline: 2px solid var(--accent); outline-offset: -2px; }
media-controller[inert] { visibility: hidden; }
video, .poster { display: block; width: 100%; height: 100%; object-fit: contain; background: #000; }
video::-webkit-media-text-track-container { transition: transform .25s; }
media-controller:is(:not([userinactive]), [mediapaused])[mediahasplayed] video::-webkit-media-text-track-container {
  transform: translateY(-64px);
}
video::cue { font-family: system-ui, sans-serif; }
.poster[hidden] { display: none; }
.logo {
  position: absolute;
  inset-block-start: 12px;
  inset-inline-end: 14px;
  max-width: 20%;
  max-height: 12%;
  opacity: .85;
  pointer-events: none;
}
.logo[hidden] { display: none; }

.heading {
  align-self: stretch;
  box-sizing: border-box;
  padding: 14px 16px 40px;
  background: linear-gradient(rgb(0 0 0 / .6), transparent);
  line-height: 1.35;
  pointer-events: none !important;
}
.heading[hidden] { display: none; }
.title {
  display: block;
  overflow: hidden;
  font-weight: 600;
  text-overflow: ellipsis;
  text-shadow: 0 0 4px rgb(0 0 0 / .6);
  white-space: nowrap;
}

.shade {
  align-self: stretch;
  padding: 28px 6px 4px;
  background: linear-gradient(transparent, rgb(0 0 0 / .75));
  line-height: 1;
}
media-control-bar { display: flex; width: 100%; }
.scrub { padding: 0 6px; box-sizing: border-box; }
media-time-range {
  --media-range-bar-color: var(--accent);
  --media-range-thumb-background: var(--accent);
  --media-control-hover-background: transparent;
  --media-control-height: 20px;
  --media-control-padding: 0px;
  --media-range-padding: 0px;
  width: 100%;
}
.buttons { align-items: center; }
.buttons > * { border-radius: 8px; flex: none; }
.buttons .spacer { flex: 1 1 0; }
media-volume-range { width: 74px; --media-range-padding: 6px; --media-control-hover-background: transparent; }
zoetrope-time-display { --media-control-hover-background: transparent; font-variant-numeric: tabular-nums; }
media-captions-button[mediasubtitleslist=""], media-captions-button:not([mediasubtitleslist]) { display: none; }
media-settings-menu { z-index: 2; right: 12px; border-radius: 10px; max-width: calc(100% - 24px); }
media-settings-menu-item[submenusize="0"], media-settings-menu-item[submenusize="1"]:not(.chapters) { display: none; }
.chapter-list media-chrome-menu-item span { margin-inline-start: 16px; color: rgb(255 255 255 / .72); font-variant-numeric: tabular-nums; }

.big-play {
  --media-button-icon-height: 36px;
  --media-control-background: rgb(10 10 14 / .68);
  --media-control-hover-background: var(--accent);
  --media-control-padding: 18px;
  position: absolute;
  border-radius: 50%;
}
media-controller[mediahasplayed] .big-play, media-controller[medialoading]:not([mediapaused]) .big-play { display: none; }
media-loading-indicator { --media-loading-indicator-icon-height: 56px; position: absolute; }
.spinner { width: 56px; height: 56px; animation: turn 1s linear infinite; }
.spinner circle { fill: none; stroke: #fff; stroke-width: 4; stroke-linecap: round; stroke-dasharray: 80 120; }
@keyframes turn { to { transform: rotate(1turn); } }

.notice {
  position: absolute;
  inset: 0;
  display: grid;
  overflow: auto;
  padding: 16px;
  box-sizing: border-box;
  background: linear-gradient(rgb(12 12 16 / .78), rgb(12 12 16 / .9)), var(--poster, none) center / cover, #131318;
  text-align: center;
}
.notice[hidden] { display: none; }
.words { margin: auto; max-width: 30em; }
.words p { margin: 0; }
.notice-title { font-size: clamp(16px, 4.2cqi, 26px); font-weight: 650; line-height: 1.25; text-wrap: balance; }
.notice-text { margin-top: .5em !important; color: rgb(255 255 255 / .82); text-wrap: balance; }
.progress { height: 6px; width: min(320px, 100%); margin: 20px auto 0; border-radius: 3px; overflow: hidden; background: rgb(255 255 255 / .2); }
.progress[hidden], .per-cent[hidden], .again[hidden], .access[hidden] { display: none; }
.done { width: 0; height: 100%; border-radius: 3px; background: var(--accent); transition: width .4s; }
.per-cent { margin-top: 8px !important; font-weight: 600; font-variant-numeric: tabular-nums; }
.access { display: inline-flex; align-items: center; text-decoration: none; }
.again, .access {
  margin-top: 18px;
  min-height: 44px;
  padding: 0 22px;
  border: 0;
  border-radius: 22px;
  background: #fff;
  color: #111;
  font: inherit;
  font-weight: 600;
  cursor: pointer;
}
.again:hover, .access:hover { background: #e4e4ea; }
.again:focus-visible, .access:focus-visible { outline: 3px solid var(--accent); outline-offset: 3px; }

@container (width < 560px) {
  media-volume-range { display: none; }
  .heading { padding: 10px 12px 30px; font-size: 14px; }
}
@container (width < 420px) {
  :is(media-pip-button, .transcript-button) { display: none; }
  .shade { padding-top: 16px; }
  .notice { padding: 10px 14px; font-size: 13px; }
  .big-play { --media-button-icon-height: 30px; --media-control-padding: 14px; }
  .progress { margin-top: 12px; height: 5px; }
  .per-cent { margin-top: 4px !important; }
  .again { margin-top: 10px; min-height: 40px; }
}
@container (width < 300px) {
  .heading { display: none; }
  media-controller { --media-control-padding: 5px; --media-font-size: 12px; --media-button-icon-height: 20px; }
  media-controller:not([mediahasplayed]) .shade { display: none; }
  .notice { padding: 6px 12px; }
  .notice-title { font-size: 15px; }
  .notice-text { margin-top: .3em !important; font-size: 12px; line-height: 1.35; }
  .again { margin-top: 8px; min-height: 34px; padding: 0 18px; }
}
@media (pointer: coarse) {
  media-volume-range { display: none; }
  media-time-range { --media-control-height: 28px; }
}
@media (prefers-reduced-motion: reduce) {
  media-controller {
    --media-control-transition-in: none;
    --media-control-transition-out: none;
    /* Not none: a menu takes the focus at the end of its transition. */
    --media-menu-transition-in: visibility 1ms, opacity 1ms;
    --media-menu-transition-out: visibility 1ms, opacity 1ms;
    --media-range-thumb-transition: none;
  }
  .done, video::-webkit-media-text-track-container { transition: none; }
  .spinner { animation: breathe 2s ease-in-out infinite; }
  @keyframes breathe { 50% { opacity: .35; } }
}
@media (prefers-contrast: more) {
  .shade, .heading { background: rgb(0 0 0 / .9); }
  .notice { background: #000; }
  .notice-text { color: #fff; }
  media-controller { --media-range-track-background: rgb(255 255 255 / .5); --media-settings-menu-background: #000; }
}
@media (forced-colors: active) {
  media-controller {
    --media-primary-color: CanvasText;
    --media-icon-color: ButtonText;
    --media-range-track-background: GrayText;
    --media-range-bar-color: Highlight;
    --media-settings-menu-background: Canvas;
    --media-focus-box-shadow: inset 0 0 0 2px Highlight;
  }
  .shade, .heading { background: Canvas; }
  .big-play { --media-control-background: Canvas; border: 2px solid ButtonText; }
  .progress { border: 1px solid CanvasText; }
  .done { background: Highlight; forced-color-adjust: none; }
  .again { border: 2px solid ButtonText; }
}
`
