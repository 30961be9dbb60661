import { dialogMarkup } from './dialogs.js'
import { transcriptMarkup } from './transcript.js'

const gear = /* html */ `<svg slot="icon" viewBox="0 0 24 24" aria-hidden="true"><path d="M19.4 13a7.6 7.6 0 0 0 0-2l2.1-1.6a.5.5 0 0 0 .1-.7l-2-3.4a.5.5 0 0 0-.6-.2l-2.5 1a7.3 7.3 0 0 0-1.7-1l-.4-2.6a.5.5 0 0 0-.5-.5h-4a.5.5 0 0 0-.5.5l-.3 2.6a7.7 7.7 0 0 0-1.8 1l-2.4-1a.5.5 0 0 0-.6.2l-2 3.4a.5.5 0 0 0 .1.7L4.6 11a8 8 0 0 0 0 2l-2.2 1.6a.5.5 0 0 0-.1.7l2 3.4c.1.2.4.3.6.2l2.4-1a7.3 7.3 0 0 0 1.8 1l.3 2.6c0 .3.3.5.5.5h4c.3 0 .5-.2.5-.5l.4-2.6a7.3 7.3 0 0 0 1.7-1l2.5 1c.2.1.5 0 .6-.2l2-3.4a.5.5 0 0 0-.1-.7zM12 15.5a3.5 3.5 0 1 1 0-7 3.5 3.5 0 0 1 0 7z"/></svg>`

const lines = /* html */ `<svg viewBox="0 0 24 24" aria-hidden="true"><path d="M4 5h16v2H4zm0 4h11v2H4zm0 4h16v2H4zm0 4h11v2H4z"/></svg>`

const note = /* html */ `<svg class="note" viewBox="0 0 24 24" aria-hidden="true"><path d="M9 17.5V5.2l11-2.4v12.4a3 3 0 1 1-2-2.8V7.6l-7 1.5v8.4a3 3 0 1 1-2-2.8z"/></svg>`

/** The controls, in tab order. The code inserts the video element. */
export const markup = /* html */ `
<div class="stage">
<media-controller part="controller" id="controller" keyboardforwardseekoffset="5" keyboardbackwardseekoffset="5" hotkeys="noshift+/" nosubtitleslangpref>
  <div slot="media" class="artwork">${note}<img class="cover" alt="" hidden></div>
  <img slot="poster" class="poster" alt="" hidden>
  <div slot="top-chrome" class="heading" hidden><span class="title"></span></div>
  <media-loading-indicator slot="centered-chrome" noautohide loadingdelay="400">
    <svg slot="icon" class="spinner" viewBox="0 0 48 48" aria-hidden="true"><circle cx="24" cy="24" r="19"/></svg>
  </media-loading-indicator>
  <media-play-button slot="centered-chrome" class="big-play" notooltip></media-play-button>
  <media-settings-menu hidden anchor="auto">
    <media-settings-menu-item class="chapters">
      Chapters
      <media-chrome-menu slot="submenu" class="chapter-list" hidden><div slot="title">Chapters</div></media-chrome-menu>
    </media-settings-menu-item>
    <media-settings-menu-item>
      Quality
      <media-rendition-menu slot="submenu" hidden><div slot="title">Quality</div></media-rendition-menu>
    </media-settings-menu-item>
    <media-settings-menu-item>
      Speed
      <media-playback-rate-menu slot="submenu" rates="0.5 0.75 1 1.25 1.5 2" hidden><div slot="title">Speed</div></media-playback-rate-menu>
    </media-settings-menu-item>
    <media-settings-menu-item class="sounds">
      Audio
      <media-audio-track-menu slot="submenu" hidden><div slot="title">Audio</div></media-audio-track-menu>
    </media-settings-menu-item>
    <media-settings-menu-item class="captions">
      Captions
      <media-captions-menu slot="submenu" hidden><div slot="title">Captions</div></media-captions-menu>
    </media-settings-menu-item>
    <media-chrome-menu-item class="show-caption-style">Caption style</media-chrome-menu-item>
    <media-chrome-menu-item class="show-transcript" hidden>Transcript</media-chrome-menu-item>
    <media-chrome-menu-item class="copy-link" hidden><span></span></media-chrome-menu-item>
    <media-chrome-menu-item class="show-keys">Keyboard shortcuts</media-chrome-menu-item>
  </media-settings-menu>
  <div class="shade">
    <media-control-bar class="scrub">
      <media-time-range></media-time-range>
    </media-control-bar>
    <media-control-bar class="buttons">
      <media-play-button></media-play-button>
      <media-mute-button></media-mute-button>
      <media-volume-range></media-volume-range>
      <zoetrope-time-display showduration></zoetrope-time-display>
      <span class="spacer"></span>
      <media-captions-button></media-captions-button>
      <media-chrome-button class="transcript-button" aria-label="Transcript" aria-pressed="false" hidden>
        ${lines}<span slot="tooltip-content">Transcript</span>
      </media-chrome-button>
      <media-settings-menu-button>${gear}</media-settings-menu-button>
      <media-airplay-button></media-airplay-button>
      <media-cast-button></media-cast-button>
      <media-pip-button></media-pip-button>
      <media-fullscreen-button></media-fullscreen-button>
    </media-control-bar>
  </div>
</media-controller>
<img class="logo" part="logo" alt="" hidden>
<div class="notice" part="notice" hidden>
  <div class="words">
    <p class="notice-title"></p>
    <p class="notice-text"></p>
    <div class="progress" role="progressbar" aria-label="Prepared" aria-valuemin="0" aria-valuemax="100" hidden>
      <div class="done"></div>
    </div>
    <p class="per-cent" aria-hidden="true" hidden></p>
    <button type="button" class="again" hidden>Try again</button>
    <a class="access" target="_blank" rel="noopener" hidden>How to watch</a>
  </div>
</div>
<p class="toast" role="status" hidden></p>
</div>
${transcriptMarkup}
${dialogMarkup}
`
